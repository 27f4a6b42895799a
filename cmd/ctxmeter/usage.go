package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
)

// usageError words what the flag parser refuses.
func (p *program) usageError(_ context.Context, cmd *cli.Command, err error, _ bool) error {
	if cmd.Bool("help") {
		p.help(cmd)
		return nil
	}
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		if strings.Trim(name, "-") == "" {
			return badArgument("a flag has a name behind its dashes: '%s --help' lists them", cmd.FullName())
		}
		return badArgument("there is no flag %s%s", dashed(name), nearest(cmd, strings.TrimLeft(name, "-"), flagNames(cmd), dashed))
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: "); ok {
		return badArgument("%s needs a value: '%s --help' tells which", name, cmd.FullName())
	}
	if value, rest, ok := strings.Cut(text, " for flag -"); ok {
		name, _, _ := strings.Cut(rest, ":")
		return badArgument("%s wants yes or no, or nothing, not %s", dashed(name), strings.TrimPrefix(value, "invalid value "))
	}
	return badArgument("%s", text)
}

// allFlags are the flags that a command takes: its own, and those of ctxmeter
// itself that it has a use for.
func allFlags(cmd *cli.Command) []cli.Flag {
	var all []cli.Flag
	for _, c := range cmd.Lineage() {
		for _, f := range c.VisibleFlags() {
			l, ok := f.(cli.LocalFlag)
			if c == cmd || takes(cmd, f.Names()[0]) && (!ok || !l.IsLocal()) {
				all = append(all, f)
			}
		}
	}
	return all
}

func flagNames(cmd *cli.Command) (names []string) {
	for _, f := range allFlags(cmd) {
		names = append(names, f.Names()...)
	}
	return names
}

func commandNames(cmd *cli.Command) (names []string) {
	for _, c := range cmd.Commands {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	return names
}

// stray is what the root command says to arguments that are none of its
// commands.
func (p *program) stray(cmd *cli.Command) error {
	first := cmd.Args().First()
	hint := config.Near(first, commandNames(cmd)...)
	switch {
	case len(hint) > 0:
	case cmd.IsSet("planned"):
		return badArgument("--planned takes one file only, and more words follow it: %d, the first is %q", cmd.Args().Len(), first)
	case looksLikeID(first):
		return badArgument("%q is no command; to read the session with this id: ctxmeter --thread-id %s", first, wording.Clean(first))
	case slices.Contains(flagNames(cmd), first):
		return badArgument("there is no command %q; did you mean %s?", first, dashed(first))
	case p.isFile(first):
		return badArgument("%q is no command; to ask whether reading this file would fit: ctxmeter --planned %s", first, paths.Quoted(first))
	}
	return badArgument("there is no command %q%s", first, nearest(cmd, first, commandNames(cmd), nil))
}

func (p *program) isFile(name string) bool {
	wd, err := p.getwd()
	if err != nil {
		return false
	}
	info, err := os.Stat(paths.Under(wd, name))
	return err == nil && info.Mode().IsRegular()
}

// nearest ends a sentence about a word that is none of the names.
func nearest(cmd *cli.Command, word string, names []string, show func(string) string) string {
	near := config.Near(word, names...)
	if len(near) == 0 {
		return ": '" + cmd.FullName() + " --help' lists them"
	}
	if show != nil {
		for i := range near {
			near[i] = show(near[i])
		}
	}
	return fmt.Sprintf("; did you mean %s?", config.List(near, "or"))
}

// onlyUseful refuses the flags of ctxmeter that a command has no use for.
func onlyUseful(cmd *cli.Command) error {
	names, some := usefulFlags(cmd)
	if !some {
		return nil
	}
	return onlyFlags(cmd, names...)
}

// onlyFlags refuses the flags of ctxmeter that a command has no use for.
func onlyFlags(cmd *cli.Command, useful ...string) error {
	for _, c := range cmd.Lineage() {
		for _, f := range c.Flags {
			name := f.Names()[0]
			if f.IsSet() && c != cmd && name != "help" && !slices.Contains(useful, name) {
				return badArgument("'%s' takes no %s", cmd.FullName(), dashed(name))
			}
		}
	}
	return nil
}

// noMore refuses arguments where a command takes none.
func noMore(cmd *cli.Command) error {
	if arg := cmd.Args().First(); arg != "" {
		return badArgument("'%s' takes no %q: '%s --help' tells what it takes", cmd.FullName(), arg, cmd.FullName())
	}
	return nil
}

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

func badArgument(format string, args ...any) error {
	return &meter.Fault{Code: meter.CodeBadArgument, Message: fmt.Sprintf(format, args...)}
}
