package install

import "syscall"

// shortPath is the path in the old form with eight letters a name, where the
// disk keeps one.
func shortPath(path string) (string, error) {
	long, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return "", err
	}
	buf := make([]uint16, 512)
	n, err := syscall.GetShortPathName(long, &buf[0], uint32(len(buf)))
	if err != nil {
		return "", err
	}
	if int(n) > len(buf) {
		return path, nil
	}
	return syscall.UTF16ToString(buf[:n]), nil
}
