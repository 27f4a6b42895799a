package codex

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ctxmeter/ctxmeter/meter/files"
)

// settings are the values of config.toml that move the window, the trigger and
// the size of a read. Zero is unset.
type settings struct {
	window int64  // model_context_window
	limit  int64  // model_auto_compact_token_limit
	scope  string // model_auto_compact_token_limit_scope
	output int64  // tool_output_token_limit
}

const maxConfig = 1 << 20 // bytes of config.toml that are read

// readSettings reads the config.toml of a home. What the client was told on
// its command line, or by a project's own configuration, is not in it.
func readSettings(home string) settings {
	if home == "" {
		return settings{}
	}
	text, err := files.Read(filepath.Join(home, "config.toml"), maxConfig)
	if err != nil {
		return settings{}
	}
	return parseSettings(string(text))
}

// parseSettings looks for a few keys at the top of a TOML document and in the
// table of the profile that it selects, which wins. It is no TOML reader: it
// goes by lines, knows plain keys with a string or a number behind them, and
// passes over everything else, multi-line strings included.
func parseSettings(text string) settings {
	tables := map[string]map[string]string{}
	table, quote := "", ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if quote != "" { // inside a multi-line string
			if strings.Contains(line, quote) {
				quote = ""
			}
			continue
		}
		if strings.HasPrefix(line, "[") {
			table = tableName(line)
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		key, value = unquote(strings.TrimSpace(key)), strings.TrimSpace(value)
		if q := value[:min(3, len(value))]; q == `"""` || q == "'''" {
			if !strings.Contains(value[3:], q) {
				quote = q
			}
			continue
		}
		if tables[table] == nil {
			tables[table] = map[string]string{}
		}
		tables[table][key] = scalar(value)
	}
	top := tables[""]
	profile := tables["profiles."+top["profile"]]
	get := func(key string) string {
		if v, ok := profile[key]; ok {
			return v
		}
		return top[key]
	}
	return settings{
		window: number(get("model_context_window")),
		limit:  number(get("model_auto_compact_token_limit")),
		scope:  get("model_auto_compact_token_limit_scope"),
		output: number(get("tool_output_token_limit")),
	}
}

// tableName is what stands between the brackets, without the quotes around
// its parts; the tables of an array are told apart from others by a bracket.
func tableName(line string) string {
	name, _, _ := strings.Cut(line[1:], "]")
	parts := strings.Split(name, ".")
	for i, p := range parts {
		parts[i] = unquote(strings.TrimSpace(p))
	}
	return strings.Join(parts, ".")
}

// scalar returns a string without its quotes, and anything else up to a
// comment.
func scalar(value string) string {
	if value != "" && (value[0] == '"' || value[0] == '\'') {
		if s, _, ok := strings.Cut(value[1:], value[:1]); ok {
			return s
		}
		return ""
	}
	value, _, _ = strings.Cut(value, "#")
	return strings.TrimSpace(value)
}

func unquote(s string) string {
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}

func number(s string) int64 {
	n, err := strconv.ParseInt(strings.ReplaceAll(s, "_", ""), 10, 64)
	if err != nil || n < 0 || n > 1<<48 {
		return 0
	}
	return n
}
