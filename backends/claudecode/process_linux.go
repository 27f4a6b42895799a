package claudecode

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"strconv"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

func lookUp(pid int) pidState {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err == nil {
		return parseStat(stat)
	}
	if errors.Is(err, fs.ErrNotExist) && files.IsDir("/proc/self") {
		return pidState{alive: meter.LiveNo}
	}
	return pidState{}
}

func lookUpKin(pid int) pidState { return lookUp(pid) }

// parseStat reads /proc/<pid>/stat. The second field is the program's name in
// parentheses and may itself hold blanks and parentheses; field 3 is the
// state, field 4 the parent, field 22 the start in clock ticks since boot
// (proc(5)).
func parseStat(stat []byte) pidState {
	open, end := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	fields := bytes.Fields(stat[end+1:])
	const state, parent, start = 0, 4 - 3, 22 - 3 // the first field left is the third
	if len(fields) <= start {
		return pidState{}
	}
	switch fields[state][0] {
	case 'Z', 'X', 'x': // it has ended and waits to be collected
		return pidState{alive: meter.LiveNo}
	}
	p := pidState{alive: meter.LiveYes, start: string(fields[start])}
	p.parent, _ = strconv.Atoi(string(fields[parent]))
	if 0 <= open && open < end {
		p.name = string(stat[open+1 : end])
	}
	return p
}
