package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// The sample session: records as Claude Code writes them, with made-up
// content. "@fill N" in one stands for N bytes of made-up source text.
//
//go:embed demo/session.jsonl
var sampleRecords string

const (
	sampleID      = "5ca1ab1e-0de0-4c0d-9e55-10caf0deba5e"
	sampleProject = "/home/demo/flower-shop"
	// The client compacts at 167,000 tokens with this, whatever the model.
	sampleSettings = `{"model": "claude-sonnet-4-6", "autoCompactWindow": 200000}` + "\n"
)

// moment is a point in the sample session that is worth a sentence.
type moment struct {
	records int // written so far
	caption string
	planned string // as --planned
}

const demoOpening = "A made-up Claude Code session in a flower shop. Its window holds 200,000 tokens; at 167,000 the client compacts (the mark in the bar)."

const demoJumps = "The records between two moments are left out, which is why the numbers jump."

const demoClosing = "That was a sample. For your own session: run 'ctxmeter' in its folder. Other folders, forms and limits: 'ctxmeter --help'."

func moments() []moment {
	return []moment{
		{3, "The first reply. It measured what one sentence costs with the system prompt and the tools around it:", ""},
		{4, "The agent reads a file. Nobody has measured that yet: the meter counts it in as an estimate.", ""},
		{5, "The next reply measures it.", ""},
		{16, "Half of the way to compaction: level moderate.", ""},
		{21, "A long test log comes in, and the level is high before the next reply says so.", ""},
		{30, "Would it fit to read another 40 KiB? The window would hold it, but compaction would come first.", "40KiB"},
		{34, "Over the trigger: the client compacts before its next request.", ""},
		{36, "Compacted. What was measured is void; until the next reply there is only an estimate.", ""},
		{37, "The next reply measures the new context.", ""},
	}
}

// sample is the session as far as it is written.
type sample struct {
	dir     string // a Claude Code folder
	file    string
	pending []string // records
	written int
	last    time.Time // of the newest record written
}

func newSample() (*sample, error) {
	dir, err := os.MkdirTemp("", "ctxmeter-demo-")
	if err != nil {
		return nil, err
	}
	s := &sample{dir: dir, pending: strings.SplitAfter(strings.TrimSuffix(sampleRecords, "\n"), "\n")}
	project := filepath.Join(dir, "projects", "-home-demo-flower-shop")
	s.file = filepath.Join(project, sampleID+".jsonl")
	if err = os.MkdirAll(project, 0o700); err == nil {
		err = os.WriteFile(filepath.Join(dir, "settings.json"), []byte(sampleSettings), 0o600)
	}
	if err != nil {
		s.remove()
		return nil, err
	}
	return s, nil
}

func sampleLength() int { return strings.Count(sampleRecords, "\n") }

// grow writes records until there are n.
func (s *sample) grow(n int) error {
	f, err := os.OpenFile(s.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	for ; s.written < n && len(s.pending) > 0; s.written++ {
		record := strings.TrimSuffix(s.pending[0], "\n") + "\n"
		var stamp struct {
			Timestamp time.Time `json:"timestamp"`
		}
		if err := json.Unmarshal([]byte(record), &stamp); err != nil {
			return err
		}
		if _, err := f.WriteString(filled(record)); err != nil {
			return err
		}
		s.last, s.pending = stamp.Timestamp, s.pending[1:]
	}
	return nil
}

// remove deletes the temporary folder.
func (s *sample) remove() { _ = os.RemoveAll(s.dir) }

// filled puts text in the place of "@fill N".
func filled(record string) string {
	before, rest, ok := strings.Cut(record, `"@fill `)
	if !ok {
		return record
	}
	size, after, _ := strings.Cut(rest, `"`)
	n, _ := strconv.Atoi(size)
	var text strings.Builder
	for i := 0; text.Len() < n; i++ {
		flower := []string{"tulip", "iris", "peony", "aster", "lily"}[i%5]
		fmt.Fprintf(&text, "// The %s on shelf %d is watered before the shop opens.\nwater(%s)\n", flower, i%23+1, flower)
	}
	content, _ := json.Marshal(text.String()[:n])
	return before + string(content) + after
}
