package calibrate

import (
	"encoding/json"
	"errors"
	"hash/fnv"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/ctxmeter/ctxmeter/meter"
)

// Learned is what was learned of a user's own transcripts: counts and
// coefficients, nothing of what was said. The zero Learned is nothing.
type Learned struct {
	Version     int       `json:"version"`
	At          time.Time `json:"learned_at"`
	Transcripts int       `json:"transcripts"`
	Requests    int64     `json:"requests"`
	Ratios      []Ratio   `json:"ratios"`
	Overheads   []Amount  `json:"overheads"` // what a session's first request carries beside its text
	Restored    []Amount  `json:"restored"`  // what comes back after a compaction without being recorded
	Triggers    []Seen    `json:"triggers"`
}

// LearnedVersion changes whenever the form or the meaning of Learned does.
const LearnedVersion = 1

// Ratio is how many tokens a text takes with a model for each that the table
// says. Errors are medians over texts of sessions that had no part in it, as
// parts of what was measured.
type Ratio struct {
	Client   string  `json:"client"`
	Model    string  `json:"model"`
	Factor   float64 `json:"factor"`
	Sessions int     `json:"sessions"`
	Texts    int64   `json:"texts"`
	Before   float64 `json:"error_before"`
	After    float64 `json:"error_after"`
}

// Amount is a number of tokens that a client adds, in the middle, and the band
// that holds nine of ten.
type Amount struct {
	Client  string `json:"client"`
	Family  string `json:"family"`                       // of models
	Version string `json:"client_version"`               // "" is any
	Project string `json:"project,omitempty"`            // see ProjectKey; "" is any
	Shown   bool   `json:"instructions_shown,omitempty"` // of overheads: the transcript shows the instructions, and this is the rest
	Tokens  int64  `json:"tokens"`
	Low     int64  `json:"low"`
	High    int64  `json:"high"`
	Count   int    `json:"count"` // of what it rests on
}

// Seen are automatic compactions with one model: the tokens just before the
// earliest of them. A client in one window tells nothing of another.
type Seen struct {
	Client  string    `json:"client"`
	Model   string    `json:"model"`
	Version string    `json:"client_version"`
	Tokens  int64     `json:"tokens"`
	At      time.Time `json:"at"` // of the newest
	Count   int       `json:"count"`
}

// ProjectKey stands for a project's folder, so that no file holds its name.
func ProjectKey(path string) string {
	if path == "" {
		return ""
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(path))
	return strconv.FormatUint(h.Sum64(), 16)
}

// ErrLearned is returned for what cannot be what Encode wrote.
var ErrLearned = errors.New("damaged, or of another version of ctxmeter")

// Encode is the form in which it is kept.
func (l *Learned) Encode() ([]byte, error) {
	l.Version = LearnedVersion
	data, err := json.MarshalIndent(l, "", "  ")
	return append(data, '\n'), err
}

// DecodeLearned reads what Encode wrote. What is damaged is ErrLearned as a
// whole: no number is taken from it.
func DecodeLearned(data []byte) (*Learned, error) {
	l := new(Learned)
	if json.Unmarshal(data, l) != nil || l.Version != LearnedVersion || !l.sound() {
		return nil, ErrLearned
	}
	return l, nil
}

const mostLearned = 4096 // entries of a kind

func (l *Learned) sound() bool {
	if len(l.Ratios) > mostLearned || len(l.Overheads) > mostLearned || len(l.Restored) > mostLearned || len(l.Triggers) > mostLearned {
		return false
	}
	for _, r := range l.Ratios {
		if !(r.Factor >= math.Exp(-ratioMost) && r.Factor <= math.Exp(ratioMost)) {
			return false
		}
	}
	for _, a := range slices.Concat(l.Overheads, l.Restored) {
		if a.Low > a.Tokens || a.Tokens > a.High || !plausible(float64(a.Low)) || !plausible(float64(a.High)) || a.Count < 1 {
			return false
		}
	}
	for _, t := range l.Triggers {
		if t.Tokens <= 0 || !plausible(float64(t.Tokens)) {
			return false
		}
	}
	return true
}

// plausible reports an amount that a client can have added: what comes back
// after a compaction may be less than what the table says of the rest.
func plausible(tokens float64) bool { return tokens >= -leastAmount && tokens <= mostAmount }

const (
	leastAmount = 200_000    // tokens below none
	mostAmount  = 10_000_000 // tokens: no window is as large
)

// Autos are the automatic compactions that were seen of a client, in the form
// in which a transcript tells of its own.
func (l *Learned) Autos(client string) []meter.Auto {
	if l == nil {
		return nil
	}
	var out []meter.Auto
	for _, t := range l.Triggers {
		if t.Client == client {
			out = append(out, meter.Auto{Pre: t.Tokens, At: t.At, Model: t.Model, Version: t.Version})
		}
	}
	return out
}
