package main

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/config"
)

// screen is what is known of the place that output goes to.
type screen struct {
	terminal bool
	width    int  // columns; 0 is unknown
	colors   bool // it understands them
}

func screenOf(w io.Writer) screen {
	f, ok := w.(*os.File)
	if !ok {
		return screen{}
	}
	return terminalOf(f)
}

// style is how text is laid out.
type style struct {
	width int
	color bool
	ascii bool
}

const (
	defaultWidth = 80
	minWidth     = 20
)

// style follows the settings, then the conventions: NO_COLOR, TERM=dumb,
// COLUMNS, the character set of the locale.
func (p *program) style(s *config.Settings) style {
	sc := p.screen(p.stdout)
	st := style{width: p.width(sc), ascii: p.plainLocale()}
	switch s.Color {
	case "always":
		st.color = true
	case "auto":
		st.color = sc.terminal && sc.colors && p.getenv("NO_COLOR") == "" && p.getenv("TERM") != "dumb"
	}
	switch s.Bar {
	case "ascii":
		st.ascii = true
	case "unicode":
		st.ascii = false
	}
	return st
}

// width is the width that text is laid out for, in columns.
func (p *program) width(sc screen) int {
	width := sc.width
	if n, err := strconv.Atoi(p.getenv("COLUMNS")); err == nil && n > 0 {
		width = n
	}
	if width <= 0 {
		width = defaultWidth
	}
	return max(width, minWidth)
}

// say tells a person something beside the answer, on standard error.
func (p *program) say(text string) {
	text = "ctxmeter: " + wording.Clean(text)
	if sc := p.screen(p.stderr); sc.terminal {
		text = style{width: p.width(sc)}.wrap(text, "  ")
	}
	fmt.Fprintln(p.stderr, text)
}

// plainLocale reports whether the locale names a character set without block
// characters. Without a locale, UTF-8 is what terminals speak.
func (p *program) plainLocale() bool {
	if p.getenv("TERM") == "dumb" {
		return true
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(p.getenv(name)); v != "" {
			return p.goos != "windows" && !strings.Contains(v, "utf-8") && !strings.Contains(v, "utf8")
		}
	}
	return false
}

// The colors, as SGR parameters.
const (
	colorGood    = "32"
	colorCare    = "33"
	colorBad     = "31"
	colorWorst   = "1;31"
	colorFaint   = "2"
	colorStrong  = "1"
	colorNothing = ""
)

func (st style) paint(color, text string) string {
	if !st.color || color == colorNothing || text == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

// wrap breaks text at spaces so that no line is wider than the style's width.
// The lines after the first begin with indent.
func (st style) wrap(text, indent string) string {
	var b strings.Builder
	column := 0
	for i, word := range strings.Fields(text) {
		n := columns(word)
		switch {
		case i == 0:
		case column+1+n > st.width:
			b.WriteString("\n" + indent)
			column = len(indent)
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}

// broken breaks a line of parts where it is too wide: parts stay whole.
func (st style) broken(line, indent string) string {
	var b strings.Builder
	column := 0
	for i, part := range strings.Split(line, "  ") {
		n := columns(part)
		if i > 0 && column > len(indent) && column+2+n > st.width {
			b.WriteString("\n" + indent)
			column = len(indent)
		} else if i > 0 {
			b.WriteString("  ")
			column += 2
		}
		b.WriteString(part)
		column += n
	}
	return b.String()
}

// columns is the width of text on a terminal: East Asian characters and most
// pictures take two.
func columns(text string) int {
	n := 0
	colour := false // inside of an escape sequence, which takes no room
	for _, r := range text {
		if colour = colour || r == '\x1b'; colour {
			colour = r != 'm'
			continue
		}
		n++
		if r >= 0x1100 && (r <= 0x115f || r >= 0x2e80 && r <= 0xa4cf || r >= 0xac00 && r <= 0xd7a3 ||
			r >= 0xf900 && r <= 0xfaff || r >= 0xfe30 && r <= 0xfe6f || r >= 0xff00 && r <= 0xff60 ||
			r >= 0x1f300 && r <= 0x1faff || r >= 0x20000 && r <= 0x3fffd) {
			n++
		}
	}
	return n
}
