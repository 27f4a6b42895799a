package claudecode

import (
	"errors"
	"syscall"
	"time"
	"unsafe"

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

func lookUpKin(pid int) pidState {
	p := lookUp(pid)
	if p.alive == meter.LiveNo {
		return p
	}
	p.began = began(pid)
	list, err := syscall.CreateToolhelp32Snapshot(syscall.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return p
	}
	defer syscall.CloseHandle(list)
	e := syscall.ProcessEntry32{Size: uint32(unsafe.Sizeof(syscall.ProcessEntry32{}))}
	for err = syscall.Process32First(list, &e); err == nil; err = syscall.Process32Next(list, &e) {
		if e.ProcessID == uint32(pid) {
			p.parent = int(e.ParentProcessID)
			p.name = syscall.UTF16ToString(e.ExeFile[:])
			break
		}
	}
	return p
}

// began is when a process started; zero if the system does not tell.
func began(pid int) time.Time {
	h, err := syscall.OpenProcess(queryLimitedInformation, false, uint32(pid))
	if err != nil {
		return time.Time{}
	}
	defer syscall.CloseHandle(h)
	var start, exit, kernel, user syscall.Filetime
	if err := syscall.GetProcessTimes(h, &start, &exit, &kernel, &user); err != nil {
		return time.Time{}
	}
	return time.Unix(0, start.Nanoseconds())
}
