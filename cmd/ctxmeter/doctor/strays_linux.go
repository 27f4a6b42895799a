package doctor

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// endWithHome ends the processes that were started with a home folder: those
// that have left their group (setsid) have kept their surroundings
// (proc_pid_environ(5)).
func endWithHome(home string) {
	const rounds = 3 // one may have started another before it was ended
	for range rounds {
		list, _ := filepath.Glob("/proc/[0-9]*")
		found := false
		for _, dir := range list {
			pid, err := strconv.Atoi(filepath.Base(dir))
			if err != nil || pid == os.Getpid() {
				continue
			}
			environ, err := os.ReadFile(filepath.Join(dir, "environ")) // of others it cannot be read
			if err == nil && bytes.Contains(append([]byte{0}, environ...), []byte("\x00HOME="+home+"\x00")) {
				found = syscall.Kill(pid, syscall.SIGKILL) == nil || found
			}
		}
		if !found {
			return
		}
	}
}
