package calibrate

import "strings"

// The families of models that share a tokenizer.
const (
	Claude   = "claude"     // up to 4.6
	Claude47 = "claude-4.7" // 4.7, 4.8 and generation 5: a new tokenizer
	GPT      = "gpt"
)

// family is the index of a family in a table.
type family uint8

const (
	claudeOld family = iota
	claudeNew
	gpt
)

var familyNames = [...]string{claudeOld: Claude, claudeNew: Claude47, gpt: GPT}

// FamilyOf tells a model's family by its API name. Sure is false where the
// name is of a model that nothing is known of: then it is the family that is
// the nearest.
func FamilyOf(model string) (name string, sure bool) {
	f, sure := familyOf(model)
	return familyNames[f], sure
}

// familyOf: a Claude of a generation that is not known yet has the newest
// tokenizer of Claude, and so has one that tells no generation. Other models
// are most like GPT: their vocabularies are public, and as large (100,000 to
// 200,000). Without any name it is the family that needs the most tokens.
func familyOf(model string) (f family, sure bool) {
	switch {
	case model == "":
		return claudeNew, false
	case strings.Contains(model, "gpt") || strings.Contains(model, "codex"):
		return gpt, true
	case !isClaude(model):
		return gpt, false
	}
	major, minor := generation(model)
	switch {
	case major == 0:
		return claudeNew, false
	case major < 4, major == 4 && minor < 7:
		return claudeOld, true
	}
	return claudeNew, major <= 5
}

func isClaude(model string) bool {
	for _, part := range []string{"claude", "opus", "sonnet", "haiku", "fable"} {
		if strings.Contains(model, part) {
			return true
		}
	}
	return false
}

// generation is the first number of a model's name and the one right behind
// it, as in claude-opus-4-7 and claude-3-5-sonnet. A date is neither. Without
// a number it is 0.
func generation(model string) (major, minor int) {
	for at := 0; at < len(model); {
		n, end := number(model, at)
		if n < 0 {
			at = end + 1
			continue
		}
		if end < len(model) {
			minor, _ = number(model, end+1)
		}
		return n, max(minor, 0)
	}
	return 0, 0
}

// number is the part of a name that begins at at and ends before end; -1 if
// it is no number of one or two digits.
func number(name string, at int) (n, end int) {
	end = at
	for end < len(name) && !strings.ContainsRune("-.@[", rune(name[end])) {
		if c := name[end]; c < '0' || c > '9' || end-at >= 2 {
			n = -1
		} else if n >= 0 {
			n = 10*n + int(c-'0')
		}
		end++
	}
	if end == at {
		return -1, end
	}
	return n, end
}
