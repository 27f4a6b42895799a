package meter

import "time"

// Status says how far a reading can be trusted. Where several apply, the most
// restrictive wins, in the order of the constants from StatusAwaiting down.
type Status string

// The statuses of a reading.
const (
	StatusUnavailable   Status = "unavailable"
	StatusNoReading     Status = "no_reading"
	StatusAwaiting      Status = "awaiting_usage_after_compaction"
	StatusWindowUnknown Status = "window_unknown"
	StatusTimeUnknown   Status = "event_time_unknown"
	StatusStale         Status = "stale"
	StatusOK            Status = "ok"
)

// Basis says what used_tokens rests on.
type Basis string

// The bases of used_tokens.
const (
	BasisMeasured Basis = "measured"          // nothing was appended since the measurement
	BasisBoth     Basis = "measured+estimate" // a measurement and what was appended since
	BasisEstimate Basis = "estimate"          // no measurement is valid
)

// Source says where a window or a trigger comes from. Some sources carry a
// name behind a dot: "settings.autoCompactWindow", "env.DISABLE_COMPACT".
type Source string

// The sources of windows and triggers.
const (
	SourceCaller     Source = "caller"
	SourceRollout    Source = "rollout"
	SourceStatusline Source = "statusline"
	SourceHook       Source = "hook"
	SourceSettings   Source = "settings"
	SourceEnv        Source = "env"
	SourceTranscript Source = "transcript"
	SourceObserved   Source = "observed"
	SourceAssumed    Source = "assumed"
)

// Identity says how the session was found.
type Identity string

// The ways to find a session, best first.
const (
	IdentityExplicit Identity = "explicit"
	IdentityPayload  Identity = "payload"
	IdentityCall     Identity = "call"
	IdentityProcess  Identity = "process"
	IdentityEnv      Identity = "env"
	IdentityOnly     Identity = "only_candidate"
	IdentityLatest   Identity = "latest"
)

// SchemaVersion is the version of the JSON of a Reading.
const SchemaVersion = 1

// Reading is the meter's answer for one session at one moment. Unknown values
// are nil, never zero. Its JSON is the program's contract.
type Reading struct {
	SchemaVersion    int            `json:"schema_version"`
	Status           Status         `json:"status"`
	Level            Level          `json:"level"`
	UsedTokens       *int64         `json:"used_tokens"`
	MeasuredTokens   *int64         `json:"measured_tokens"`
	UnmeasuredTokens *int64         `json:"unmeasured_tokens"`
	UsedRange        *[2]int64      `json:"used_tokens_range"`
	Basis            *Basis         `json:"basis"`
	EstimatedFrom    []string       `json:"estimated_from,omitempty"` // what was learned of the user's own transcripts
	WindowTokens     *int64         `json:"window_tokens"`
	WindowSource     *Source        `json:"window_source"`
	UsedPercent      *float64       `json:"used_percent"`
	RemainingTokens  *int64         `json:"remaining_tokens"`
	RemainingPercent *float64       `json:"remaining_percent"`
	Compaction       CompactionView `json:"compaction"`
	EventAt          *time.Time     `json:"event_at"`
	EventAgeSeconds  *float64       `json:"event_age_seconds"`
	ObservedAt       time.Time      `json:"observed_at"`
	Session          SessionView    `json:"session"`
	Planned          *PlannedView   `json:"planned,omitempty"` // when asked for
	ClientView       ClientView     `json:"client_view"`
	Warnings         []Warning      `json:"warnings"`
}

// CompactionView is the part of a reading that tells how far compaction is.
// Its distance is counted as the client counts, since that makes it compact.
type CompactionView struct {
	Mode            Mode       `json:"mode"`
	TriggerTokens   *int64     `json:"trigger_tokens"`
	TriggerSource   *Source    `json:"trigger_source"`
	Percent         *float64   `json:"percent"`
	RemainingTokens *int64     `json:"remaining_tokens"`
	Count           *int64     `json:"count"` // nil until the whole transcript was seen
	LastAt          *time.Time `json:"last_at"`
	AwaitingUsage   bool       `json:"awaiting_usage"`
}

// SessionView names the session a reading speaks of.
type SessionView struct {
	ID       string   `json:"id"`
	Backend  string   `json:"backend"`
	Model    *string  `json:"model"`
	AgentID  *string  `json:"agent_id"`
	ParentID *string  `json:"parent_id"`
	Segments int      `json:"segments"` // files the transcript is made of
	Identity Identity `json:"identity"`
	Project  *string  `json:"project"`
}

// PlannedView answers whether a planned read fits.
type PlannedView struct {
	Source             string   `json:"source"` // "path" or "size"
	Tokens             int64    `json:"tokens"`
	UsedPercentAfter   *float64 `json:"used_percent_after"`
	FitsWindow         *bool    `json:"fits_window"`
	TriggersCompaction *bool    `json:"triggers_compaction"`
	Limits             []Cut    `json:"limits,omitempty"`       // of the client, where they cut the read
	WholeTokens        int64    `json:"whole_tokens,omitempty"` // then, of all of it
	Files              *int64   `json:"files,omitempty"`        // that are read, of a folder or a glob
	Skipped            int64    `json:"skipped,omitempty"`      // that are binary or cannot be read
	AtLeast            bool     `json:"at_least,omitempty"`     // counting ended early: it is more than Tokens
}

// ClientView is what the client's own screen shows.
type ClientView struct {
	UsedTokens  *int64   `json:"used_tokens"`
	UsedPercent *float64 `json:"used_percent"`
	Note        string   `json:"-"` // how the client counts, where that differs from this reading; for people
}

// Warning is a fact that a user should know about a reading. Text holds
// nothing from a conversation.
type Warning struct {
	Code string `json:"code"`
	Text string `json:"text"`
}

// Mode says whether and how the client compacts on its own.
type Mode string

// The modes of compaction.
const (
	ModeAuto     Mode = "auto"     // at the trigger
	ModeReactive Mode = "reactive" // only when the provider refuses the prompt
	ModeOff      Mode = "off"
	ModeUnknown  Mode = "unknown"
)
