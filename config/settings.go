package config

import "time"

// Settings are the effective values.
type Settings struct {
	// Which session.
	ThreadID    string
	SessionFile string
	Latest      bool
	Dir         string // working folder to look in; "" is the process's own
	Backend     string // "auto" or a backend's name
	ClaudeDirs  []string
	CodexHomes  []string

	// How it is read.
	Window           int64 // tokens; 0 is not set
	CompactThreshold int64 // tokens; 0 is not set
	Windows          []ModelWindow
	Planned          string
	StaleAfter       time.Duration // 0 is never
	MaxScanBytes     int64         // 0 is the whole transcript
	NoCache          bool
	Cutoffs          Cutoffs
	FailAt           FailAt

	// How it is shown.
	Output Output
	Color  string // "auto", "always", "never"
	Bar    string // "auto", "unicode", "ascii"

	Statusline string // format of the status line, see Segments; "" is DefaultLine

	// What hooks do.
	HookLevel string // from which on the agent is told: "moderate", "high", "critical"
	HookBlock string // which reads are not let through: BlockNone and the like

	// Path of the configuration file that was looked for, "" if there is no
	// place for one; Found tells whether it exists, Named whether the user
	// named it.
	Path  string
	Found bool
	Named bool

	json, pretty bool   // as the layer at hand says
	format       string // likewise
	origins      map[string]Origin
}

// Cutoffs are the percentages at which the levels begin.
type Cutoffs struct{ Moderate, High, Critical float64 }

// ModelWindow gives the models that Pattern names a window. In a pattern, *
// stands for any text and ? for one character.
type ModelWindow struct {
	Pattern string
	Tokens  int64
}

// Output is the form of an answer. The zero value leaves the choice to what
// standard output is.
type Output string

// The forms of an answer.
const (
	OutputText   Output = "text"
	OutputJSON   Output = "json"
	OutputPretty Output = "pretty" // JSON, indented
	OutputLine   Output = "line"
)

// The reads that hooks do not let through.
const (
	BlockNone    = "none"
	BlockWindow  = "window"  // those that do not fit the window
	BlockTrigger = "trigger" // those that would set off compaction, too
)

// Layer is a place where values come from, weakest first.
type Layer uint8

// The layers.
const (
	LayerDefault Layer = iota
	LayerFile
	LayerEnv
	LayerFlag
)

// Origin tells where a value comes from.
type Origin struct {
	Layer Layer
	Name  string // "--window", "CTXMETER_WINDOW", the key in the file
	Line  int    // in the file
}

// Origin returns where the value of the setting with this key comes from.
func (s *Settings) Origin(key string) Origin { return s.origins[key] }

// WindowFor returns the configured window of a model, in tokens, or 0. The
// longest pattern that fits wins.
func (s *Settings) WindowFor(model string) int64 {
	var tokens int64
	longest := -1
	for _, w := range s.Windows {
		if len(w.Pattern) > longest && matches(w.Pattern, model) {
			tokens, longest = w.Tokens, len(w.Pattern)
		}
	}
	return tokens
}

// matches reports whether text fits pattern. Unlike path.Match, * also stands
// for slashes: the names of some models are resource paths.
func matches(pattern, text string) bool {
	star, mark := -1, 0
	p, t := 0, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, t
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == text[t]):
			p++
			t++
		case star >= 0:
			mark++
			p, t = star+1, mark
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}
