package install

import (
	"regexp"
	"slices"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
)

// discreet takes out of a difference what is not different. Settings hold keys
// and tokens, and a difference is copied into reports: a line that was put in or
// taken out is shown as it is, and of the other ones, and of what two lines have
// in common, no texts are.
func (pl target) discreet(diff string) string {
	lines := strings.SplitAfter(diff, "\n")
	var out strings.Builder
	for n := 0; n < len(lines); {
		switch {
		case n < 2 || lines[n] == "" || lines[n][0] == '@' || lines[n][0] == '\\':
			out.WriteString(lines[n])
			n++
		case lines[n][0] == ' ':
			masked := pl.mask(strings.TrimRight(lines[n][1:], "\n"))
			out.WriteString(" " + excerpt(masked, 0, len(masked)) + "\n")
			n++
		default:
			end := n
			for end < len(lines) && lines[end] != "" && strings.IndexByte(`-+\`, lines[end][0]) >= 0 {
				end++
			}
			pl.changed(&out, lines[n:end])
			n = end
		}
	}
	return out.String()
}

// changed writes the lines that are in one of two texts, each next to the one
// that took its place, if there is one.
func (pl target) changed(out *strings.Builder, lines []string) {
	var olds, news []string
	for _, l := range lines {
		switch l[0] {
		case '-':
			olds = append(olds, strings.TrimRight(l[1:], "\n"))
		case '+':
			news = append(news, strings.TrimRight(l[1:], "\n"))
		}
	}
	pair := func(list []string, n int) string {
		if n < len(list) {
			return list[n]
		}
		return ""
	}
	minus, plus := 0, 0
	for _, l := range lines {
		switch l[0] {
		case '-':
			out.WriteString("-" + pl.different(olds[minus], pair(news, minus)) + "\n")
			minus++
		case '+':
			out.WriteString("+" + pl.different(news[plus], pair(olds, plus)) + "\n")
			plus++
		default:
			out.WriteString(l)
		}
	}
}

// different is a line of which another one has some.
func (pl target) different(line, other string) string {
	if strings.TrimRight(line, "\r") == strings.TrimRight(other, "\r") { // only its end is new
		masked := pl.mask(line)
		return excerpt(masked, 0, len(masked))
	}
	from, end := differ(line, other)
	if pl.TOML {
		return excerpt(line, from, end)
	}
	head, middle, tail := "", "", ""
	at := 0
	for _, m := range jsonString.FindAllStringIndex(line, -1) {
		switch text := line[m[0]:m[1]]; {
		case m[1] <= from:
			head += line[at:m[0]] + maskText(text, line[m[1]:])
		case m[0] >= len(line)-end:
			if tail == "" {
				middle += line[at:max(at, len(line)-end)]
				at = max(at, len(line)-end)
			}
			tail += line[at:m[0]] + maskText(text, line[m[1]:])
		default:
			middle += line[at:m[1]]
		}
		at = m[1]
	}
	if tail == "" {
		middle += line[at:]
	} else {
		tail += line[at:]
	}
	return excerpt(head+middle+tail, len(head), len(tail))
}

// jsonString is a string of JSON, which never goes over the end of a line.
var jsonString = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// maskText is a string of JSON without what it says. The keys of objects stay,
// and what ctxmeter itself writes.
func maskText(text, behind string) string {
	inner := text[1 : len(text)-1]
	if strings.HasPrefix(strings.TrimLeft(behind, " \t\r"), ":") || inner == "" || ownText(inner) {
		return text
	}
	return `"…"`
}

func ownText(text string) bool {
	return text == "command" || text == "stdio" || text == wiring.Subcommand(wiring.PartMCP) || wiring.IsCtxmeter(text) ||
		slices.ContainsFunc(wiring.Parts(), func(part string) bool { return wiring.Ours(text, part) })
}

var (
	tomlHeader = regexp.MustCompile(`^\s*\[[^#]*\]\s*$`)
	tomlPlain  = regexp.MustCompile(`^[^=#]*=\s*(?:true|false|[-+]?[0-9][0-9._]*)\s*$`)
	tomlKey    = regexp.MustCompile(`^[^=#]*=\s*`)
)

// mask is a line without its texts.
func (pl target) mask(line string) string {
	if !pl.TOML {
		var out strings.Builder
		at := 0
		for _, m := range jsonString.FindAllStringIndex(line, -1) {
			out.WriteString(line[at:m[0]] + maskText(line[m[0]:m[1]], line[m[1]:]))
			at = m[1]
		}
		return out.String() + line[at:]
	}
	switch {
	case strings.Trim(line, " \t\r[]{},") == "", tomlHeader.MatchString(line), tomlPlain.MatchString(line):
		return line
	case strings.HasPrefix(strings.TrimSpace(line), "#"):
		return "# …"
	}
	if key := tomlKey.FindString(line); key != "" {
		if ownText(tomlString(strings.TrimSpace(line[len(key):]))) {
			return line
		}
		return key + "…"
	}
	return "…"
}
