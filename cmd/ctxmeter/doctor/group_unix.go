//go:build unix

package doctor

import (
	"os/exec"
	"syscall"
)

// endTogether has what the command starts end with it when time is up.
func endTogether(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
