package config_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/config"
)

func TestALineFallsIntoPartsAtBlanks(t *testing.T) {
	for format, want := range map[string]string{
		"{used}/{window}":              "<used>/<window>",
		"{percent}  {model}":           "<percent>, <model>",
		"ctx: {percent} | {model} end": "ctx: <percent>, | <model> end",
		"a {b} c d {e}f g h":           "a <b>, c d <e>f g h",
		"text":                         "text",
		"":                             "",
		"{a":                           "{a",
	} {
		var parts []string
		for _, part := range config.LineParts(format) {
			text := ""
			for _, token := range part {
				if text += token.Text; token.Segment != "" {
					text += "<" + token.Segment + ">"
				}
			}
			parts = append(parts, text)
		}
		if got := strings.Join(parts, ", "); got != want {
			t.Errorf("%q is %q, want %q", format, got, want)
		}
	}
}

func TestFormatsOfTheLineAreChecked(t *testing.T) {
	for format, want := range map[string]string{
		config.DefaultLine:                   "",
		"{percent}":                          "",
		"a {used}{window}, 漢字 {cost}":        "",
		"{percnt}":                           `config.toml, line 2: statusline.format has no segment {percnt}; did you mean {percent}?`,
		"{zebra}":                            "has no segment {zebra}: there are percent, used,",
		"{}":                                 "has no segment {}",
		"{ percent }":                        "has a brace alone",
		"{percent":                           "has a brace alone",
		"percent}":                           "has a brace alone",
		"percent":                            "has no segment: write {percent}",
		"{percent}\\u001b[31m":               "has a control character",
		"{percent}\\n{model}":                "has a control character",
		"{percent}\\u202e":                   "has a control character",
		strings.Repeat("{percent} ", 3) + "": "",
	} {
		s, err := config.Resolve(from(t, fmt.Sprintf("[statusline]\nformat = \"%s\"\n", format)))
		switch {
		case want == "" && (err != nil || s.Statusline != format):
			t.Errorf("%q: %v", format, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, want %q", format, err, want)
		}
	}
}
