package config

import "strings"

// Allowed says in a few words what a setting may be given.
func (s Setting) Allowed() string {
	switch s.Kind {
	case KindBool:
		return "true or false"
	case KindChoice:
		return List(s.Choices, "or")
	case KindTokens:
		return `tokens: 200000, "200k"`
	case KindBytes:
		return `bytes: 65536, "64MiB"; 0 is all`
	case KindSeconds:
		return `seconds, "5m"; 0 is never`
	case KindPercent:
		return "percent"
	case KindFailAt:
		return `a level, "85%" or "150k"`
	case KindLine:
		return `"{percent} {model}", say`
	case KindFolders:
		return "a list of folders"
	}
	return ""
}

// AllowedWindow is the same for the table [windows], with an example of a key.
const (
	AllowedWindow = "tokens; * in a name is any text"
	WindowExample = "model-name-*"
)

// ParseBool reads a truth value as people write it.
func ParseBool(text string) (value, ok bool) {
	switch strings.ToLower(text) {
	case "true", "yes", "on", "1":
		return true, true
	case "false", "no", "off", "0":
		return false, true
	}
	return false, false
}
