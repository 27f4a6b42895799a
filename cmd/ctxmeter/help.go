package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"
)

// helpWidth is the width that help fits, in columns, on a wide screen and
// where there is none.
const helpWidth = 78

// The library would answer --help by itself, in another style than ours, and
// has no other way to be told not to.
func init() { cli.HelpFlag = nil }

func (p *program) helpCommand() *cli.Command {
	return &cli.Command{
		Name:        "help",
		Usage:       "print the help of a command",
		Description: "Prints what 'ctxmeter COMMAND --help' prints.",
		Metadata:    map[string]any{helpUsage: []string{"ctxmeter help [COMMAND]"}, helpNote: ""},
		Action: func(_ context.Context, cmd *cli.Command) error {
			about, unknown := topic(cmd)
			if unknown != "" {
				return badArgument("there is no command %q to help with%s", unknown, nearest(about, unknown, commandNames(about), nil))
			}
			p.help(about)
			return nil
		},
	}
}

// topic is the command that the arguments of help name, as far as they do, and
// the first word that names none.
func topic(help *cli.Command) (about *cli.Command, unknown string) {
	about = help.Root()
	for _, word := range help.Args().Slice() {
		next := about.Command(word)
		if next == nil {
			return about, word
		}
		about = next
	}
	return about, ""
}

// help prints the help of a command.
func (p *program) help(cmd *cli.Command) {
	h := page{width: helpWidth}
	if sc := p.screen(p.stdout); sc.terminal {
		h.width = min(h.width, p.width(sc))
	}
	h.paragraph("", cmd.FullName()+": "+cmd.Usage)
	for text := range strings.SplitSeq(cmd.Description, "\n\n") {
		h.paragraph("", text)
	}
	if cmd == cmd.Root() {
		h.root(cmd)
	} else {
		h.command(cmd)
	}
	p.print(strings.TrimSuffix(h.b.String(), "\n"))
}

func (h *page) root(cmd *cli.Command) {
	h.list("Usage", "ctxmeter [flags]", "ctxmeter COMMAND [flags]")
	h.table("Examples", rootExamples())
	h.table("Commands", commands(cmd))
	for _, group := range groups() {
		h.flags(group, slices.DeleteFunc(cmd.VisibleFlags(), func(f cli.Flag) bool {
			c, ok := f.(cli.CategorizableFlag)
			return !ok || c.GetCategory() != group
		}))
	}
	h.paragraph("", "Every flag but --help and --version can be set by a variable too (CTXMETER_STALE_AFTER for --stale-after, CTXMETER_THREAD_ID for --session-id) and most in the configuration file: see 'ctxmeter config'. CTXMETER_DEBUG=1 tells of a variable that sets nothing, and of what goes wrong where nothing is said of it.")
	h.table("Exit status", [][2]string{
		{"0", "a reading was given, be it stale or estimated"},
		{"1", "a reading was given, and it is at or over --fail-at"},
		{"2", "there is no reading: the reason is JSON on standard output, and a sentence on standard error"},
	})
}

func (h *page) command(cmd *cli.Command) {
	usage, ok := cmd.Metadata[helpUsage].([]string)
	if !ok {
		usage = []string{cmd.FullName() + " [flags]"}
	}
	h.list("Usage", usage...)
	examples, _ := cmd.Metadata[helpExamples].([][2]string)
	h.table("Examples", examples)
	h.table("Commands", commands(cmd))
	h.flags("Flags", cmd.VisibleFlags())
	note, ok := cmd.Metadata[helpNote].(string)
	if !ok {
		note = "The flags of ctxmeter itself apply too: 'ctxmeter --help' lists them."
	}
	h.paragraph("", note)
}

func commands(cmd *cli.Command) (rows [][2]string) {
	for _, c := range cmd.Commands {
		if !c.Hidden {
			rows = append(rows, [2]string{c.Name, c.Usage})
		}
	}
	return rows
}

// groups are the groups of flags in the help text, in their order there.
func groups() []string { return []string{categorySession, categoryReading, categoryAnswer} }

// page is a text that fits a width, in blocks with an empty line behind each.
type page struct {
	width int
	b     strings.Builder
}

func (h *page) paragraph(indent, text string) {
	if text != "" {
		h.line(indent, indent, text)
		h.b.WriteByte('\n')
	}
}

// line writes text that begins with first, and its further lines with indent.
func (h *page) line(first, indent, text string) {
	wrapped := style{width: h.width - len(indent)}.wrap(text, "")
	h.b.WriteString(first + strings.ReplaceAll(wrapped, "\n", "\n"+indent) + "\n")
}

func (h *page) list(title string, lines ...string) {
	h.b.WriteString(title + ":\n")
	for _, l := range lines {
		h.line("  ", "      ", l)
	}
	h.b.WriteByte('\n')
}

// table writes rows of two columns. Where the width is too small for both, the
// second stands below the first.
func (h *page) table(title string, rows [][2]string) {
	if len(rows) == 0 {
		return
	}
	left := 0
	for _, r := range rows {
		left = max(left, len(r[0]))
	}
	h.b.WriteString(title + ":\n")
	for _, r := range rows {
		if left+4+24 > h.width {
			h.line("  ", "  ", r[0])
			h.line("      ", "      ", r[1])
		} else {
			h.line(fmt.Sprintf("  %-*s  ", left, r[0]), strings.Repeat(" ", left+4), r[1])
		}
	}
	h.b.WriteByte('\n')
}

// flags describes flags: the names of each, and below what it does.
func (h *page) flags(title string, flags []cli.Flag) {
	if len(flags) == 0 {
		return
	}
	h.b.WriteString(title + ":\n")
	for _, f := range flags {
		doc, ok := f.(cli.DocGenerationFlag)
		if !ok {
			continue
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
		if def := doc.GetDefaultText(); doc.TakesValue() && def != "" {
			usage += fmt.Sprintf(" (default %s)", def)
		}
		h.line("  ", "      ", strings.Join(names, ", "))
		h.line("      ", "      ", usage)
	}
	h.b.WriteByte('\n')
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
