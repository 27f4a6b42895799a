package claudecode

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

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

// lookUpKin adds when the process began, which old entries are compared with.
func lookUpKin(pid int) pidState {
	p := lookUp(pid)
	ticks, err := strconv.ParseInt(p.start, 10, 64)
	text, e := os.ReadFile("/proc/uptime")
	up, _, _ := strings.Cut(string(text), " ")
	seconds, er := strconv.ParseFloat(up, 64)
	if err == nil && e == nil && er == nil {
		ago := seconds - float64(ticks)/100 // USER_HZ, the same on all but Alpha
		p.began = time.Now().Add(-time.Duration(ago * float64(time.Second)))
	}
	return p
}

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
