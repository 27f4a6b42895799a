package calibrate

// before2159 reports a version of Claude Code before 2.1.59.
func before2159(version string) bool {
	want := [...]int{2, 1, 59}
	for _, least := range want {
		n, i := 0, 0
		for i < len(version) && version[i] >= '0' && version[i] <= '9' {
			n = 10*n + int(version[i]-'0')
			i++
		}
		if i == 0 {
			return false
		}
		if n != least {
			return n < least
		}
		if i < len(version) && version[i] == '.' {
			i++
		}
		version = version[i:]
	}
	return false
}
