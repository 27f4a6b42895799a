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

// endRest ends what a command that has ended has started and left behind. home
// is the home folder of the trial, which no other process has.
func endRest(cmd *exec.Cmd, home string) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // its number stays taken as long as one of its group lives
	}
	endWithHome(home)
}
