package paths

import (
	"os"
	"path/filepath"
	"strings"
)

// Under completes a relative path.
func Under(wd, path string) string {
	if Rooted(path) {
		return path
	}
	return filepath.Join(wd, path)
}

// Rooted also takes paths for absolute that clients on other systems wrote.
func Rooted(path string) bool { return filepath.IsAbs(path) || strings.HasPrefix(path, "/") }

// Quoted quotes text where a shell would take it apart.
func Quoted(text string) string {
	if strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/\\:._-+@%,") == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// Same reports whether two paths lead to the same file, and it is there.
func Same(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
