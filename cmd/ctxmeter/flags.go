package main

import (
	"errors"
	"strconv"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/ctxmeter/ctxmeter/config"
)

// Categories of flags in the help text.
const (
	categorySession = "Whose session"
	categoryReading = "How it is read"
	categoryAnswer  = "How it is shown"
)

// flags makes a flag of every setting that has one. They carry text: package
// config reads it, so that flags, variables and the file say the same.
func flags() []cli.Flag {
	var out []cli.Flag
	for _, s := range config.All() {
		switch {
		case s.Flag == "":
		case s.Kind == config.KindBool:
			out = append(out, &truthFlag{Name: s.Flag, Usage: s.Usage, Category: category(s.Flag)})
		case s.Kind == config.KindFolders:
			out = append(out, &cli.StringSliceFlag{Name: s.Flag, Usage: usage(s.Arg, s.Usage), Category: category(s.Flag)})
		default:
			out = append(out, &cli.StringFlag{Name: s.Flag, Aliases: aliases(s.Flag), Usage: usage(s.Arg, s.Usage), Category: category(s.Flag), DefaultText: s.Default})
		}
	}
	return append(out,
		&cli.StringFlag{Name: "config", Usage: usage("FILE", "the configuration file"), Category: categoryReading},
		&truthFlag{Name: "help", Aliases: []string{"h"}, Usage: "print this, or the help of a command", Category: categoryAnswer},
		&truthFlag{Name: "version", Aliases: []string{"v"}, Usage: "print the version", Category: categoryAnswer, Local: true},
	)
}

// A truthFlag needs no value, and takes one as package config reads it.
type truthFlag = cli.FlagBase[bool, cli.NoConfig, truth]

type truth struct{ to *bool }

func (truth) Create(v bool, to *bool, _ cli.NoConfig) cli.Value {
	*to = v
	return truth{to}
}

func (truth) ToString(v bool) string { return strconv.FormatBool(v) }

func (t truth) Set(text string) error {
	v, ok := config.ParseBool(text)
	if !ok {
		return errors.New("yes or no")
	}
	*t.to = v
	return nil
}

func (t truth) Get() any         { return *t.to }
func (t truth) String() string   { return strconv.FormatBool(*t.to) }
func (t truth) IsBoolFlag() bool { return true }

func aliases(flag string) []string {
	if flag == "thread-id" {
		return []string{"session-id", "t"}
	}
	return nil
}

func category(flag string) string {
	switch flag {
	case "thread-id", "session-file", "latest", "cwd", "backend", "claude-dir", "codex-home":
		return categorySession
	case "json", "pretty", "format", "color", "fail-at":
		return categoryAnswer
	}
	return categoryReading
}

// settings returns the effective settings of a command.
func (p *program) settings(cmd *cli.Command) (*config.Settings, error) {
	s, err := config.Resolve(p.sources(cmd))
	if err != nil {
		return nil, configFault(err)
	}
	return s, nil
}

func (p *program) sources(cmd *cli.Command) config.Sources {
	flags := given(cmd)
	return config.Sources{
		Flag:   func(name string) []string { return flags[name] },
		Getenv: p.getenv,
		Home:   p.home(),
		GOOS:   p.goos,
	}
}

// given returns the texts that the flags on the command line were given.
func given(cmd *cli.Command) map[string][]string {
	out := map[string][]string{}
	for _, c := range cmd.Lineage() {
		for _, f := range c.Flags {
			if !f.IsSet() {
				continue
			}
			name := f.Names()[0]
			switch v := f.Get().(type) {
			case bool:
				out[name] = []string{strconv.FormatBool(v)}
			case []string:
				out[name] = v
			case string:
				out[name] = []string{v}
			}
		}
	}
	return out
}

// looksLikeID reports whether a stray argument may be meant as a session id.
func looksLikeID(text string) bool {
	return len(text) >= minID && strings.Trim(strings.ToLower(text), "0123456789abcdef-") == ""
}
