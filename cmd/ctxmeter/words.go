package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
)

// number writes n with commas between the thousands.
func number(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return sign + b.String()
}

// short writes n in at most four digits: 950, 15.8k, 151k, 1M.
func short(n int64) string {
	unit, f := "", float64(n)
	switch abs := math.Abs(f); {
	case abs >= 999_500:
		unit, f = "M", f/1e6
	case abs >= 1000:
		unit, f = "k", f/1e3
	}
	digits := 0
	if unit != "" && math.Abs(f) < 99.95 {
		digits = 1
	}
	return strings.TrimSuffix(strconv.FormatFloat(f, 'f', digits, 64), ".0") + unit
}

func percent(p float64) string {
	if p > 999 {
		return "over 999 %"
	}
	return strconv.FormatFloat(p, 'f', 1, 64) + " %"
}

// age words a number of seconds.
func age(seconds float64) string {
	switch d := time.Duration(seconds * float64(time.Second)); {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	default:
		return fmt.Sprintf("%d days", int(d.Hours()/24))
	}
}

func times(n int64) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return number(n) + " times"
}

func colorOf(level meter.Level) string {
	switch level {
	case meter.LevelOK:
		return colorGood
	case meter.LevelModerate:
		return colorCare
	case meter.LevelHigh:
		return colorBad
	case meter.LevelCritical:
		return colorWorst
	}
	return colorNothing
}
