// Package paths completes, compares and quotes paths, as they were typed or
// written down by somebody.
package paths
