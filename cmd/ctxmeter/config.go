package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
)

func (p *program) configCommand() *cli.Command {
	return &cli.Command{
		Name:        "config",
		Usage:       "print the effective configuration and its origins",
		Description: `Prints every setting as it stands in the configuration file; behind it, where the value comes from (a flag, a variable, a line of the file, or the built-in default) and what it may be. The output is a valid configuration file. Of a file that cannot be used it says where that is and all that is wrong in it. --json prints the same for programs.`,
		Metadata:    map[string]any{helpUsage: []string{"ctxmeter config [flags]", "ctxmeter config path [flags]"}},
		Action:      p.config,
		Commands: []*cli.Command{{
			Name:        "path",
			Usage:       "print where the configuration file is looked for",
			Description: "Prints the place of the configuration file, whether there is one or not: what --config or CTXMETER_CONFIG names, else the usual place. The file is not read.",
			Metadata:    map[string]any{helpNote: "Of the flags of ctxmeter, --config, --json, --pretty and --format apply."},
			Action:      p.configPath,
		}},
	}
}

func (p *program) config(_ context.Context, cmd *cli.Command) error {
	if err := noMore(cmd); err != nil {
		return err
	}
	p.sayUnknownVariables()
	s, err := p.settings(cmd)
	if err != nil {
		return p.sayAll(err)
	}
	if _, err := p.finder(s); err != nil { // a backend that does not exist
		return err
	}
	if s.Origin("format.output").Layer == config.LayerFlag && s.Output != config.OutputText && s.Output != config.OutputLine {
		p.printJSON(configView(s), s.Output == config.OutputPretty)
		return nil
	}
	p.print(configText(s, p.allowed(s)))
	return nil
}

// sayAll says all that is wrong in the configuration file, a sentence each.
func (p *program) sayAll(err error) error {
	more := further(err)
	if len(more) == 0 {
		return err
	}
	e, _ := errors.AsType[*config.Error](err)
	p.fail(&meter.Fault{Code: meter.CodeBadConfig, Message: e.Error()}, "")
	for _, e := range more[:min(len(more), mostProblems)] {
		p.say(e.Error())
	}
	return errReported
}

// mostProblems is how many further ones are said: a file that is none of
// ctxmeter's may have any number.
const mostProblems = 20

// allowed says what each setting may be given.
func (p *program) allowed(s *config.Settings) map[string]string {
	out := map[string]string{}
	for _, setting := range config.All() {
		out[setting.Key] = setting.Allowed()
	}
	names := []string{"auto"}
	for _, c := range p.clients(p.env(s, "")) {
		names = append(names, c.Name())
	}
	out["backend"] = config.List(names, "or")
	return out
}

// configPath answers without reading the file: it may be what is wrong.
func (p *program) configPath(_ context.Context, cmd *cli.Command) error {
	if err := noMore(cmd); err != nil {
		return err
	}
	if err := onlyUseful(cmd); err != nil {
		return err
	}
	s, err := formSettings(cmd)
	if err != nil {
		return err
	}
	path, _ := config.FilePath(p.sources(cmd))
	if path == "" {
		return &meter.Fault{Code: meter.CodeBadConfig, Message: "there is no place for a configuration file: no home folder is known; name one with --config or CTXMETER_CONFIG"}
	}
	if s.Output == config.OutputJSON || s.Output == config.OutputPretty {
		_, err := os.Stat(path)
		p.printJSON(pathJSON{meter.SchemaVersion, path, err == nil}, s.Output == config.OutputPretty)
		return nil
	}
	p.print(path + "\n")
	return nil
}

// formSettings are the defaults and what the command line says of the form.
func formSettings(cmd *cli.Command) (*config.Settings, error) {
	flags := given(cmd)
	s, err := config.Resolve(config.Sources{
		Flag: func(name string) []string {
			switch name {
			case "json", "pretty", "format", "color":
				return flags[name]
			}
			return nil
		},
		Getenv: func(string) string { return "" },
	})
	if err != nil {
		return nil, configFault(err)
	}
	return s, nil
}

// configText is the effective configuration as a file that would set it;
// allowed says what each setting may be given.
func configText(s *config.Settings, allowed map[string]string) string {
	var b strings.Builder
	state := "is not there"
	if s.Found {
		state = "was read"
	}
	if s.Path == "" {
		b.WriteString("# there is no place for a configuration file\n\n")
	} else {
		fmt.Fprintf(&b, "# %s %s\n\n", wording.Clean(s.Path), state)
	}
	table := ""
	for _, e := range s.Entries() {
		if e.Table != table {
			table = e.Table
			fmt.Fprintf(&b, "\n[%s]\n", table)
		}
		key := e.Key
		if table == "windows" {
			key = config.Quote(key)
		}
		text := fmt.Sprintf("%s = %s", key, literal(e.Value))
		if e.Value == nil {
			text = "# " + key + " ="
		}
		key = e.Key
		if e.Table != "" {
			key = e.Table + "." + e.Key
		}
		fmt.Fprintf(&b, "%-28s # %s\n", text, commented(origin(e.Origin, e.Value), allowed[key]))
	}
	if len(s.Windows) == 0 {
		fmt.Fprintf(&b, "\n[windows]\n%-28s # %s\n", "# "+config.Quote(config.WindowExample)+" =", commented("not set", config.AllowedWindow))
	}
	return b.String()
}

func commented(origin, allowed string) string {
	if allowed == "" {
		return origin
	}
	return origin + "; " + allowed
}

func literal(v any) string {
	switch v := v.(type) {
	case string:
		return config.Quote(v)
	case []string:
		var quoted []string
		for _, s := range v {
			quoted = append(quoted, config.Quote(s))
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return fmt.Sprint(v)
}

func origin(o config.Origin, value any) string {
	switch {
	case value == nil:
		return "not set"
	case o.Layer == config.LayerDefault:
		return "default"
	case o.Layer == config.LayerFile && o.Line > 0:
		return fmt.Sprintf("file, line %d", o.Line)
	case o.Layer == config.LayerFile:
		return "file"
	}
	return o.Name
}
