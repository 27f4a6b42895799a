package claudecode

import (
	"strconv"
	"strings"

	"github.com/ctxmeter/ctxmeter/meter"
)

// vars are the client's environment variables as far as they can be known:
// what the settings put into the client's environment replaces what it was
// started with; where that did not say what it was, ctxmeter's own environment
// stands for it.
type vars struct {
	settings map[string]string
	getenv   func(string) string
}

// limitVars are all of them, but for what they say of files and folders.
var limitVars = []string{
	modelVar, "ANTHROPIC_DEFAULT_OPUS_MODEL", "ANTHROPIC_DEFAULT_SONNET_MODEL", "ANTHROPIC_DEFAULT_HAIKU_MODEL",
	"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", "CLAUDE_CODE_AUTO_COMPACT_WINDOW", "CLAUDE_CODE_DISABLE_1M_CONTEXT",
	"CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS", "CLAUDE_CODE_MAX_CONTEXT_TOKENS", "CLAUDE_CODE_MAX_OUTPUT_TOKENS",
	"DISABLE_AUTO_COMPACT", "DISABLE_COMPACT",
}

// LimitVars implements backends.Client.
func (c *Client) LimitVars() []string { return limitVars }

// varsOf are the variables of the session's client.
func (c *Client) varsOf(s meter.Session, set settings) vars {
	if s.Vars == nil {
		return vars{settings: set.env, getenv: c.env.Getenv}
	}
	return vars{settings: set.env, getenv: func(name string) string { return s.Vars[name] }}
}

// get returns a variable and where it stands: "settings.env.NAME" or
// "env.NAME". An unset one is "".
func (v vars) get(name string) (value string, source meter.Source) {
	if value, ok := v.settings[name]; ok {
		return strings.TrimSpace(value), meter.SourceSettings + ".env." + meter.Source(name)
	}
	return strings.TrimSpace(v.getenv(name)), meter.SourceEnv + "." + meter.Source(name)
}

// on reports whether a switch is set to what the client takes for yes.
func (v vars) on(name string) (source meter.Source, ok bool) {
	value, source := v.get(name)
	switch strings.ToLower(value) {
	case "1", "true", "yes", "on":
		return source, true
	}
	return "", false
}

// number returns a variable that is a whole number over zero.
func (v vars) number(name string) (n int64, source meter.Source) {
	value, source := v.get(name)
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n <= 0 || n > 1e12 {
		return 0, ""
	}
	return n, source
}

// class is a source without its name: the sources of windows have none.
func class(s meter.Source) meter.Source {
	kind, _, _ := strings.Cut(string(s), ".")
	return meter.Source(kind)
}
