package main

import (
	"math"
	"strconv"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/meter"
)

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

func times(n int64) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return wording.Number(n) + " times"
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
