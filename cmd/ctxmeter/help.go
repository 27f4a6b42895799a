package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v3"
)

const rootHelp = `{{.Name}}: {{.Usage}}

{{.Description}}

Usage:
  ctxmeter [flags]
  ctxmeter COMMAND [flags]

Examples:
{{.Metadata.examples}}

Commands:{{range .VisibleCommands}}
  {{.Name}}{{"\t"}}{{.Usage}}{{end}}

{{call .Metadata.flags}}
Every flag can be set by a variable too (CTXMETER_STALE_AFTER for --stale-after)
and most in the configuration file: see 'ctxmeter config'.

Exit status:
  0  a reading was given, be it stale or estimated
  1  a reading was given, and it is at or over --fail-at
  2  there is no reading: the reason is JSON on standard output, and a sentence
     on standard error
`

const commandHelp = `{{.FullName}}: {{.Usage}}
{{if .Description}}
{{.Description}}
{{end}}
Usage:
  {{if .UsageText}}{{.UsageText}}{{else}}{{.FullName}} [flags]{{end}}
{{if .VisibleFlags}}
Flags:
{{range .VisibleFlags}}  {{.}}
{{end}}{{end}}
The flags of ctxmeter itself apply too: 'ctxmeter --help' lists them.
`

// groups are the groups of flags in the help text, in their order there.
func groups() []string { return []string{categorySession, categoryReading, categoryAnswer} }

// worded gives flags the wording of describe.
func worded(flags []cli.Flag) []cli.Flag {
	for _, f := range flags {
		if f, ok := f.(interface{ SetStringer(cli.FlagStringFunc) }); ok {
			f.SetStringer(describe)
		}
	}
	return flags
}

// flagHelp describes the flags of the root command, group by group.
func flagHelp(root *cli.Command) string {
	var b strings.Builder
	for _, group := range groups() {
		fmt.Fprintf(&b, "%s:\n", group)
		for _, f := range root.VisibleFlags() {
			if c, ok := f.(cli.CategorizableFlag); ok && c.GetCategory() == group {
				b.WriteString("  " + f.String() + "\n")
			}
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// describe writes a flag for the help text: its names on one line, what it
// does below.
func describe(f cli.Flag) string {
	doc, ok := f.(cli.DocGenerationFlag)
	if !ok {
		return ""
	}
	value, usage := placeholder(doc.GetUsage())
	var names []string
	for _, n := range f.Names() {
		n = dashed(n)
		if value != "" {
			n += " " + value
		}
		names = append(names, n)
	}
	out := strings.Join(names, ", ") + "\n      " + usage
	if def := doc.GetDefaultText(); doc.TakesValue() && def != "" {
		out += fmt.Sprintf(" (default %s)", def)
	}
	return out
}

// usage joins the word that stands for a flag's value and what the flag does,
// and placeholder takes them apart again: the library has one field for both.
func usage(arg, text string) string { return "`" + arg + "` " + text }

func placeholder(usage string) (arg, text string) {
	rest, ok := strings.CutPrefix(usage, "`")
	if !ok {
		return "", usage
	}
	arg, text, _ = strings.Cut(rest, "` ")
	return arg, text
}
