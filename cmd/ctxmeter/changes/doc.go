// Package changes tells that something in a folder has changed: by the
// system's own notice where there is one, and by the clock where there is not.
package changes
