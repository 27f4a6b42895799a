package tail

import "math"

// parseInt reads a JSON number that is whole and fits an int64.
func parseInt(b []byte) (n int64, ok bool) {
	neg := len(b) > 0 && b[0] == '-'
	if neg {
		b = b[1:]
	}
	// The value is mag * 10^exp. Zeros wait in zeros until a digit follows,
	// so that those at the end, before or after the point, never overflow.
	var mag uint64
	exp, zeros := 0, 0
	digits, point := 0, false
	for ; len(b) > 0; b = b[1:] {
		c := b[0]
		if c == '.' && !point && digits > 0 && len(b) > 1 && isDigit(b[1]) {
			point = true
			continue
		}
		if !isDigit(c) {
			break
		}
		digits++
		if point {
			exp--
		}
		if c == '0' {
			zeros++
			continue
		}
		if mag == 0 {
			zeros = 0
		}
		for ; zeros >= 0; zeros-- {
			if mag > math.MaxUint64/10 {
				return 0, false
			}
			mag *= 10
		}
		zeros = 0
		if mag += uint64(c - '0'); mag < uint64(c-'0') {
			return 0, false
		}
	}
	if digits == 0 {
		return 0, false
	}
	e, ok := exponent(b)
	if !ok {
		return 0, false
	}
	if mag == 0 {
		return 0, true
	}
	for exp += zeros + e; exp > 0; exp-- {
		if mag > math.MaxUint64/10 {
			return 0, false
		}
		mag *= 10
	}
	switch {
	case exp < 0: // mag does not end in 0: a fraction
		return 0, false
	case neg && mag <= 1<<63:
		return -int64(mag), true
	case !neg && mag <= math.MaxInt64:
		return int64(mag), true
	}
	return 0, false
}

// exponent reads what may follow the digits: nothing or an exponent. One too
// large to matter comes back as merely large.
func exponent(b []byte) (e int, ok bool) {
	if len(b) == 0 {
		return 0, true
	}
	if b[0]|0x20 != 'e' {
		return 0, false
	}
	b = b[1:]
	neg := len(b) > 0 && b[0] == '-'
	if neg || len(b) > 0 && b[0] == '+' {
		b = b[1:]
	}
	if len(b) == 0 {
		return 0, false
	}
	for _, c := range b {
		if !isDigit(c) {
			return 0, false
		}
		if e < 1<<30 {
			e = e*10 + int(c-'0')
		}
	}
	if neg {
		e = -e
	}
	return e, true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
