package calibrate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"math"
	"slices"
	"strconv"
	"sync"
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
	Check       string    `json:"check,omitempty"` // of the amounts: see OpenLearned
	Ratios      []Ratio   `json:"ratios"`
	Triggers    []Seen    `json:"triggers"`
	Lists

	late func() Lists // the amounts, if they are not decoded yet
}

// Lists are the amounts, most of what was learned.
type Lists struct {
	Overheads []Amount `json:"overheads"` // what a session's first request carries beside its text
	Restored  []Amount `json:"restored"`  // what comes back after a compaction without being recorded
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
	Version string `json:"client_version,omitempty"`     // "" is any
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

// Encode is the form in which it is kept: an entry on a line, so that a person
// can read it, and the amounts at the end, so that a reading need not.
func (l *Learned) Encode() ([]byte, error) {
	l.Version, l.Check = LearnedVersion, noCheck
	data, err := linewise(l)
	if err != nil {
		return nil, err
	}
	head, amounts, ok := parts(data)
	if !ok {
		return nil, ErrLearned
	}
	l.Check = checkOf(amounts)
	head = bytes.Replace(head, []byte(noCheck), []byte(l.Check), 1)
	return slices.Concat(head, amounts), nil
}

const noCheck = "00000000"

// checkOf is a number by which damage shows.
func checkOf(data []byte) string { return fmt.Sprintf("%08x", crc32.ChecksumIEEE(data)) }

// parts are what Encode wrote before the amounts, and these.
func parts(data []byte) (head, amounts []byte, ok bool) {
	at := bytes.Index(data, []byte(",\n  \"overheads\": "))
	if at < 0 {
		return nil, nil, false
	}
	return data[:at], data[at:], true
}

// DecodeLearned reads what Encode wrote, or a person changed. What is damaged is
// ErrLearned as a whole: no number is taken from it.
func DecodeLearned(data []byte) (*Learned, error) {
	l := new(Learned)
	if json.Unmarshal(data, l) != nil || l.Version != LearnedVersion || !l.sound() {
		return nil, ErrLearned
	}
	return l, nil
}

// OpenLearned is DecodeLearned for a reading: amounts that are as Encode wrote
// them are decoded when they are asked for, which most readings never do. Those
// of some hundred sessions would take a third of a millisecond.
func OpenLearned(data []byte) (*Learned, error) {
	head, amounts, ok := parts(data)
	if !ok {
		return DecodeLearned(data)
	}
	l := new(Learned)
	if json.Unmarshal(append(slices.Clone(head), '}'), l) != nil || l.Check != checkOf(amounts) || l.Version != LearnedVersion || !l.sound() {
		return DecodeLearned(data)
	}
	l.late = sync.OnceValue(func() (all Lists) {
		if json.Unmarshal(append([]byte("{"), amounts[1:]...), &all) != nil || !all.sound() {
			return Lists{}
		}
		return all
	})
	return l, nil
}

// lists are the amounts, decoded.
func (l *Learned) lists() Lists {
	if l.late != nil {
		return l.late()
	}
	return l.Lists
}

const mostLearned = 4096 // entries of a kind

func (l *Learned) sound() bool {
	if len(l.Ratios) > mostLearned || len(l.Triggers) > mostLearned || !l.Lists.sound() {
		return false
	}
	for _, r := range l.Ratios {
		if !(r.Factor >= math.Exp(-ratioMost) && r.Factor <= math.Exp(ratioMost)) {
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

func (l *Lists) sound() bool {
	for _, list := range [][]Amount{l.Overheads, l.Restored} {
		if len(list) > mostLearned {
			return false
		}
		for i := range list {
			if a := &list[i]; a.Low > a.Tokens || a.Tokens > a.High || !plausible(float64(a.Low)) || !plausible(float64(a.High)) || a.Count < 1 {
				return false
			}
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
