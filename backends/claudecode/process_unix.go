//go:build unix && !linux

package claudecode

import (
	"errors"
	"os"
	"syscall"

	"github.com/ctxmeter/ctxmeter/meter"
)

func lookUp(pid int) pidState {
	p, err := os.FindProcess(pid)
	if err != nil {
		return pidState{}
	}
	switch err := p.Signal(syscall.Signal(0)); {
	case err == nil, errors.Is(err, syscall.EPERM):
		return pidState{alive: meter.LiveYes}
	case errors.Is(err, os.ErrProcessDone), errors.Is(err, syscall.ESRCH):
		return pidState{alive: meter.LiveNo}
	}
	return pidState{}
}
