package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/config"
)

// complete answers the completion scripts of the shells: lines of a word and,
// after a colon, what it means. After a flag that takes a file it says
// nothing, and the shell completes files.
func (p *program) complete(args []string) cli.ShellCompleteFunc {
	return func(_ context.Context, cmd *cli.Command) {
		words := slices.DeleteFunc(slices.Clone(args[1:]), func(w string) bool { return w == "--generate-shell-completion" })
		last := ""
		if len(words) > 0 {
			last = words[len(words)-1]
		}
		if f := valueFlag(cmd, last); f != nil {
			p.print(p.values(cmd, f.Names()[0]))
			return
		}
		if flag, _, ok := strings.Cut(last, "="); ok && strings.HasPrefix(last, "-") {
			if f := valueFlag(cmd, flag); f != nil {
				p.print(prefixed(flag+"=", p.values(cmd, f.Names()[0])))
			}
			return
		}
		var b strings.Builder
		if strings.HasPrefix(last, "-") {
			for _, f := range allFlags(cmd) {
				word := dashed(f.Names()[0])
				if doc, ok := f.(cli.DocGenerationFlag); ok && strings.HasPrefix(word, last) {
					_, usage := placeholder(doc.GetUsage())
					fmt.Fprintf(&b, "%s:%s\n", word, usage)
				}
			}
		} else {
			may, _ := cmd.Metadata[operands].([][2]string)
			if cmd.Name == "help" {
				about, unknown := topic(cmd)
				if unknown != "" {
					return
				}
				cmd = about
			}
			for _, c := range commands(cmd) {
				fmt.Fprintf(&b, "%s:%s\n", c[0], c[1])
			}
			for _, o := range may {
				if !slices.Contains(words, o[0]) { // given already
					fmt.Fprintf(&b, "%s:%s\n", o[0], o[1])
				}
			}
		}
		p.print(b.String())
	}
}

// prefixed puts text before every line.
func prefixed(text, lines string) string {
	if lines == "" {
		return ""
	}
	return text + strings.ReplaceAll(strings.TrimSuffix(lines, "\n"), "\n", "\n"+text) + "\n"
}

// valueFlag is the flag that word names, if it takes a value.
func valueFlag(cmd *cli.Command, word string) cli.Flag {
	if !strings.HasPrefix(word, "-") || strings.Contains(word, "=") {
		return nil
	}
	for _, f := range allFlags(cmd) {
		doc, ok := f.(cli.DocGenerationFlag)
		if ok && doc.TakesValue() && slices.Contains(f.Names(), strings.TrimLeft(word, "-")) {
			return f
		}
	}
	return nil
}

// values lists what a flag may be given.
func (p *program) values(cmd *cli.Command, flag string) string {
	var b strings.Builder
	switch flag {
	case "backend":
		words := []string{"auto"}
		if s, err := p.settings(cmd); err == nil {
			for _, c := range p.clients(p.env(s, "")) {
				words = append(words, c.Name())
			}
		}
		return strings.Join(words, "\n") + "\n"
	case "fail-at":
		return "moderate\nhigh\ncritical\n"
	case "thread-id":
		return p.ids(cmd)
	}
	for _, s := range config.All() {
		if s.Flag == flag {
			for _, c := range s.Choices {
				b.WriteString(c + "\n")
			}
		}
	}
	return b.String()
}

// ids lists the sessions of the folder.
func (p *program) ids(cmd *cli.Command) string {
	src := p.sources(cmd)
	flag := src.Flag
	src.Flag = func(name string) []string { // the others are not complete yet
		if category(name) != categorySession || name == "thread-id" {
			return nil
		}
		return flag(name)
	}
	s, err := config.Resolve(src)
	if err != nil {
		return ""
	}
	f, err := p.finder(s)
	if err != nil {
		return ""
	}
	hits, err := f.here()
	if err != nil {
		return ""
	}
	var b strings.Builder
	for _, h := range hits[:min(len(hits), maxCandidates)] {
		fmt.Fprintf(&b, "%s:%s, %s ago\n", wording.Name(h.session.ID), wording.Name(h.session.Backend), wording.Age(f.now.Sub(h.session.Modified).Seconds()))
	}
	return b.String()
}
