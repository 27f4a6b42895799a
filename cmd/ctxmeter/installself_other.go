//go:build !windows

package main

func shortPath(path string) (string, error) { return path, nil }
