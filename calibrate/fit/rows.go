package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"strconv"
	"strings"

	"github.com/ctxmeter/ctxmeter/calibrate"
	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// A row is what was appended between two consecutive requests of a session,
// and by how many tokens the prompt grew; or a text whose tokens are known.
type row struct {
	model, version, session string

	fold   int  // sessions are dealt to folds by their name
	known  bool // a text with its exact count, without wrappers
	growth float64
	counts tail.Counts

	blocks, images, attachments int64
	output                      int64   // of the reply before, as it was stored
	after                       float64 // the prompt that was measured
}

const folds = 10

// readRows reads a table of growth. Its columns are found by their names.
func readRows(r io.Reader) ([]*row, error) {
	in := csv.NewReader(r)
	in.ReuseRecord = true
	head, err := in.Read()
	if err != nil {
		return nil, fmt.Errorf("reading the names of columns: %w", err)
	}
	at := map[string]int{}
	for i, name := range head {
		at[name] = i
	}
	var rows []*row
	for {
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, fmt.Errorf("reading rows: %w", err)
		}
		x, err := rowOf(func(name string) (string, error) {
			i, ok := at[name]
			if !ok {
				return "", fmt.Errorf("no column %s", name)
			}
			return record[i], nil
		})
		if err != nil {
			line, _ := in.FieldPos(0)
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		rows = append(rows, x)
	}
}

func rowOf(field func(name string) (string, error)) (*row, error) {
	var failed error
	text := func(name string) string {
		s, err := field(name)
		failed = errors.Join(failed, err)
		return s
	}
	number := func(names ...string) (sum int64) {
		for _, name := range names {
			n, err := strconv.ParseInt(text(name), 10, 64)
			failed = errors.Join(failed, err)
			sum += n
		}
		return sum
	}
	x := &row{
		model: text("model"), version: text("version"), session: strings.Clone(text("session")),
		growth: float64(number("growth")), after: float64(number("prompt_after")), output: number("output_before"),
		blocks: number("blocks"), images: number("images"), attachments: number("attachments"),
		counts: tail.Counts{
			Bytes: number("bytes"), Chars: number("chars"),
			Words: number("words"), Letters: number("word_letters"), CaseBreaks: number("case_breaks"),
			Digits: number("digits"), DigitRuns: number("digit_runs"),
			Spaces: number("spaces", "tabs"), SpaceRuns: number("space_runs"), Newlines: number("newlines"),
			Underscores: number("underscores"), Punct: number("punct"), PunctRuns: number("punct_runs"),
			Latin: number("latin_ext"), Alpha: number("cyrillic_greek"), Wide: number("cjk", "kana", "hangul"),
			Signs: number("other_nonascii"), // with alphabets and emoji that the tables do not tell from signs
		},
	}
	x.model, x.version = strings.Clone(x.model), strings.Clone(x.version)
	x.known = strings.HasPrefix(x.model, "o200k")
	h := fnv.New32a()
	h.Write([]byte(x.session))
	x.fold = int(h.Sum32()>>3) % folds
	return x, failed
}

// family is the family of the row's model, by its name.
func (r *row) family() string {
	if r.known {
		return calibrate.GPT
	}
	name, _ := calibrate.FamilyOf(r.model)
	return name
}

// usable are the rows of a family that hold the counted text and nothing
// else, as far as can be told.
func usable(rows []*row, family string) []*row {
	var out []*row
	for _, r := range rows {
		if r.family() != family || r.images > 0 || r.attachments > 0 || r.counts.Chars == 0 {
			continue
		}
		if !r.known && family != calibrate.GPT && calibrate.Placeholder(r.version, r.output) {
			continue
		}
		out = append(out, r)
	}
	return out
}

// besides are the rows that are not in fold k.
func besides(rows []*row, k int) []*row {
	var out []*row
	for _, r := range rows {
		if r.fold != k {
			out = append(out, r)
		}
	}
	return out
}
