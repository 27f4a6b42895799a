//go:build unix && !linux

package claudecode

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

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

// lookUpKin asks ps(1): the systems' own calls for it differ.
func lookUpKin(pid int) pidState {
	p := lookUp(pid)
	if p.alive == meter.LiveNo {
		return p
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	// One -o for each: on BSD the header after "=" goes on to the end of the
	// argument.
	ps := exec.CommandContext(ctx, "/bin/ps", "-o", "ppid=", "-o", "lstart=", "-o", "comm=", "-p", strconv.Itoa(pid))
	ps.Env = []string{"LC_ALL=C", "TZ=UTC"}
	out, err := ps.Output()
	if err != nil {
		return p
	}
	p.parent, p.began, p.name = parsePS(string(out))
	return p
}
