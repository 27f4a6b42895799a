package config_test

import (
	"testing"

	"github.com/ctxmeter/ctxmeter/config"
)

func TestParseBytes(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "65536": 65536, "64k": 64000, "64K": 64000, "64kB": 64000, "64KiB": 65536, "1.5M": 1_500_000,
		"1MiB": 1 << 20, "2 MB": 2_000_000, "1G": 1_000_000_000, "1_000": 1000, "9223372036854775807": 1<<63 - 1,
	} {
		if got, err := config.ParseBytes(text); err != nil || got != want {
			t.Errorf("%q is %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "k", "-1", "+1", "1e3", "1x", "1.2.3", "0x10", "9223372036854775808", "99999999999G", "1 2", "NaN", "Inf", "½"} {
		if got, err := config.ParseBytes(text); err == nil {
			t.Errorf("%q is %d, want an error", text, got)
		}
	}
}

func TestParseTokens(t *testing.T) {
	for text, want := range map[string]int64{"200000": 200_000, "200k": 200_000, "200_000": 200_000, "1M": 1_000_000, "1.5k": 1500} {
		if got, err := config.ParseTokens(text); err != nil || got != want {
			t.Errorf("%q is %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "200,000", "1KiB", "-5", "1e6", "many"} {
		if got, err := config.ParseTokens(text); err == nil {
			t.Errorf("%q is %d, want an error", text, got)
		}
	}
}

func FuzzNumbers(f *testing.F) {
	f.Add("64MiB")
	f.Add("1.5k")
	f.Fuzz(func(t *testing.T, text string) {
		if n, err := config.ParseBytes(text); err == nil && n < 0 {
			t.Errorf("%q is %d bytes", text, n)
		}
		if n, err := config.ParseTokens(text); err == nil && n < 0 {
			t.Errorf("%q is %d tokens", text, n)
		}
	})
}
