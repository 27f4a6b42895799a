package claudecode

import (
	"path"
	"strconv"
	"strings"
	"time"
)

// parsePS reads what `ps -o ppid= -o lstart= -o comm=` prints of one process
// in the C locale and UTC: "17460 Mon Nov 30 15:07:53 2026 /opt/x/claude".
func parsePS(out string) (parent int, began time.Time, name string) {
	fields := strings.Fields(out)
	const date = 1 + 5
	if len(fields) < date {
		return 0, time.Time{}, ""
	}
	parent, err := strconv.Atoi(fields[0])
	if err != nil || parent < 0 {
		return 0, time.Time{}, ""
	}
	began, err = time.Parse("Mon Jan 2 15:04:05 2006", strings.Join(fields[1:date], " "))
	if err != nil {
		return 0, time.Time{}, ""
	}
	if len(fields) > date {
		name = path.Base(strings.Join(fields[date:], " "))
	}
	return parent, began, name
}
