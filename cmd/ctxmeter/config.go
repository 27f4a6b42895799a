package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
)

func (p *program) configCommand() *cli.Command {
	return &cli.Command{
		Name:  "config",
		Usage: "print the effective configuration, and where each value comes from",
		Description: `Prints every setting as it stands in the configuration file, with its origin
behind it: a flag, a variable, a line of the file, or the built-in default.
The output is a valid configuration file. --json prints the same for programs.`,
		UsageText: "ctxmeter config [flags]\n  ctxmeter config path",
		Action:    p.config,
	}
}

func (p *program) config(_ context.Context, cmd *cli.Command) error {
	switch arg := cmd.Args().First(); arg {
	case "":
	case "path":
		return p.configPath(cmd)
	default:
		return badArgument("'ctxmeter config' takes no %q: it prints everything, and 'ctxmeter config path' the place of the file", arg)
	}
	s, err := p.settings(cmd)
	if err != nil {
		return err
	}
	if _, err := p.finder(s); err != nil { // a backend that does not exist
		return err
	}
	if s.Origin("format.output").Layer == config.LayerFlag && s.Output != config.OutputText && s.Output != config.OutputLine {
		p.printJSON(configView(s), s.Output == config.OutputPretty)
		return nil
	}
	p.print(configText(s))
	return nil
}

// configPath answers without reading the file: it may be what is wrong.
func (p *program) configPath(cmd *cli.Command) error {
	path, _ := config.FilePath(p.sources(cmd))
	if path == "" {
		return &meter.Fault{Code: meter.CodeBadConfig, Message: "there is no place for a configuration file: no home folder is known; name one with --config or CTXMETER_CONFIG"}
	}
	p.print(path + "\n")
	return nil
}

// configText is the effective configuration as a file that would set it.
func configText(s *config.Settings) string {
	var b strings.Builder
	state := "is not there"
	if s.Found {
		state = "was read"
	}
	if s.Path == "" {
		b.WriteString("# there is no place for a configuration file\n\n")
	} else {
		fmt.Fprintf(&b, "# %s %s\n\n", clean(s.Path), state)
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
		fmt.Fprintf(&b, "%-36s # %s\n", text, origin(e.Origin, e.Value))
	}
	return b.String()
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

// configJSON is what --json prints.
type configJSON struct {
	SchemaVersion int            `json:"schema_version"`
	File          string         `json:"file"`
	Found         bool           `json:"found"`
	Settings      []settingsJSON `json:"settings"`
}

type settingsJSON struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`
	Source string `json:"source"` // "flag", "environment", "file", "default"
	Name   string `json:"name,omitempty"`
	Line   int    `json:"line,omitempty"`
}

func configView(s *config.Settings) configJSON {
	out := configJSON{SchemaVersion: meter.SchemaVersion, File: s.Path, Found: s.Found}
	for _, e := range s.Entries() {
		key := e.Key
		if e.Table != "" {
			key = e.Table + "." + e.Key
		}
		out.Settings = append(out.Settings, settingsJSON{
			Key: key, Value: e.Value, Source: layerName(e.Origin.Layer), Name: e.Origin.Name, Line: e.Origin.Line,
		})
	}
	return out
}

func layerName(l config.Layer) string {
	switch l {
	case config.LayerFlag:
		return "flag"
	case config.LayerEnv:
		return "environment"
	case config.LayerFile:
		return "file"
	}
	return "default"
}
