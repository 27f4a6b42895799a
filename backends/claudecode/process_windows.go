package claudecode

import (
	"errors"
	"syscall"

	"github.com/ctxmeter/ctxmeter/meter"
)

// Of the Windows API: winnt.h, winerror.h, minwinbase.h.
const (
	queryLimitedInformation = 0x1000
	invalidParameter        = syscall.Errno(87) // no process has this id
	stillActive             = 259
)

func lookUp(pid int) pidState {
	h, err := syscall.OpenProcess(queryLimitedInformation, false, uint32(pid))
	switch {
	case errors.Is(err, invalidParameter):
		return pidState{alive: meter.LiveNo}
	case errors.Is(err, syscall.ERROR_ACCESS_DENIED):
		return pidState{alive: meter.LiveYes}
	case err != nil:
		return pidState{}
	}
	defer syscall.CloseHandle(h)
	var code uint32
	if err := syscall.GetExitCodeProcess(h, &code); err != nil {
		return pidState{}
	}
	if code != stillActive {
		return pidState{alive: meter.LiveNo}
	}
	return pidState{alive: meter.LiveYes}
}
