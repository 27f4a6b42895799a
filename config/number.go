package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// FailAt is the limit at which a reading makes the program exit with 1. The
// zero value is none; else one field is set.
type FailAt struct {
	Level   string
	Percent float64 // of the window
	Tokens  int64
}

// ParseTokens reads a number of tokens: 200000, 200_000, 200k, 1.5M.
func ParseTokens(text string) (int64, error) {
	n, err := scaled(text, map[string]float64{"": 1, "k": 1e3, "m": 1e6})
	if err != nil {
		return 0, fmt.Errorf("wants a number of tokens such as 200000 or 200k, not %q", text)
	}
	return n, nil
}

// ParseBytes reads a number of bytes: 65536, 64k, 1.5MB (powers of ten),
// 64KiB, 1GiB (powers of two).
func ParseBytes(text string) (int64, error) {
	n, err := scaled(text, map[string]float64{
		"": 1, "b": 1, "k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9,
		"ki": 1 << 10, "kib": 1 << 10, "mi": 1 << 20, "mib": 1 << 20, "gi": 1 << 30, "gib": 1 << 30,
	})
	if err != nil {
		return 0, fmt.Errorf("wants a number of bytes such as 65536, 64k or 64KiB, not %q", text)
	}
	return n, nil
}

var errNumber = fmt.Errorf("not a number")

// scaled reads a number that is not negative, with one of the suffixes.
func scaled(text string, units map[string]float64) (int64, error) {
	s := strings.ReplaceAll(strings.TrimSpace(text), "_", "")
	digits := strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	unit, ok := units[strings.ToLower(s[len(digits):])]
	digits = strings.TrimSpace(digits)
	if !ok || digits == "" || strings.Trim(digits, "0123456789.") != "" {
		return 0, errNumber
	}
	if unit == 1 && !strings.Contains(digits, ".") {
		return strconv.ParseInt(digits, 10, 64)
	}
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil || f*unit > math.MaxInt64/2 {
		return 0, errNumber
	}
	return int64(math.Round(f * unit)), nil
}

// parseSeconds reads a number of seconds, or a duration such as 2m.
func parseSeconds(text string) (time.Duration, error) {
	if f, err := strconv.ParseFloat(text, 64); err == nil && f >= 0 && f < math.MaxInt64/1e9 {
		return time.Duration(f * float64(time.Second)), nil
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return d, nil
	}
	return 0, fmt.Errorf("wants seconds such as 120, or 2m, not %q", text)
}

func parsePercent(text string) (float64, error) {
	f, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "%")), 64)
	if err != nil || !(f >= 0 && f <= 100) {
		return 0, fmt.Errorf("wants a percentage from 0 to 100, not %q", text)
	}
	return f, nil
}

func parseFailAt(text string) (FailAt, error) {
	switch level := strings.ToLower(text); level {
	case "moderate", "high", "critical":
		return FailAt{Level: level}, nil
	case "ok":
		return FailAt{}, fmt.Errorf("wants moderate, high or critical as a level: every reading is at or over ok")
	}
	number, isShare := strings.CutSuffix(text, "%")
	f, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	plain := err == nil && f > 0
	switch {
	case isShare && plain && f <= 100:
		return FailAt{Percent: f}, nil
	case isShare && plain:
		return FailAt{}, fmt.Errorf("wants at most 100%% of the window, not %s: a prompt over the window is refused, so nothing would ever be over it", text)
	case plain && f <= 1:
		return FailAt{}, fmt.Errorf("takes a plain number for tokens, and %s is too few to mean that; did you mean %g%%?", text, math.Round(f*1e4)/100)
	case plain && f <= 100:
		return FailAt{}, fmt.Errorf("takes a plain number for tokens, and %s is too few to mean that; did you mean %g%%?", text, f)
	case plain && f < 1000:
		return FailAt{}, fmt.Errorf("takes a plain number for tokens, and %s is too few to mean that: write 85%% for a share of the window, 150k for tokens", text)
	}
	if n, err := ParseTokens(text); !isShare && err == nil && n > 0 {
		return FailAt{Tokens: n}, nil
	}
	return FailAt{}, fmt.Errorf("wants a level (moderate, high, critical), a share of the window such as 85%%, or tokens such as 150k, not %q", text)
}
