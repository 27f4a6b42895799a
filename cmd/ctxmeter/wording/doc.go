// Package wording words things for people: numbers, ages, names that may hold
// anything, and errors of the system.
package wording
