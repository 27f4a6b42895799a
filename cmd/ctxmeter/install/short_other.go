//go:build !windows

package install

func shortPath(path string) (string, error) { return path, nil }
