package meter

// Level is how full a session is, in one word.
type Level string

// The levels, rising.
const (
	LevelUnknown  Level = "unknown"
	LevelOK       Level = "ok"
	LevelModerate Level = "moderate"
	LevelHigh     Level = "high"
	LevelCritical Level = "critical"
)

// Cutoffs are the percentages at which moderate, high and critical begin.
type Cutoffs struct{ Moderate, High, Critical float64 }

// DefaultCutoffs are used unless the configuration says otherwise.
var DefaultCutoffs = Cutoffs{Moderate: 50, High: 75, Critical: 90}

// Level maps a percentage to its level.
func (c Cutoffs) Level(percent float64) Level {
	switch {
	case percent >= c.Critical:
		return LevelCritical
	case percent >= c.High:
		return LevelHigh
	case percent >= c.Moderate:
		return LevelModerate
	}
	return LevelOK
}

// Rank orders the levels; LevelUnknown is -1.
func (l Level) Rank() int {
	switch l {
	case LevelOK:
		return 0
	case LevelModerate:
		return 1
	case LevelHigh:
		return 2
	case LevelCritical:
		return 3
	}
	return -1
}
