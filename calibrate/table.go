package calibrate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	"github.com/ctxmeter/ctxmeter/calibrate/formula"
)

// Table is what tokens are estimated by: for each family of models the
// coefficients, where they come from, and how far off they were.
type Table struct {
	Made     string   `json:"made"` // date
	Method   string   `json:"method"`
	Families []Family `json:"families"` // in the order of the family constants
}

// Family is the part of a table for models that share a tokenizer.
type Family struct {
	Name     string `json:"name"`
	Rows     int    `json:"rows"` // fitted on: pairs of requests
	Sessions int    `json:"sessions"`
	How      string `json:"how"`

	FirstBlock   float64 `json:"first_block"`   // tokens around what is appended
	FurtherBlock float64 `json:"further_block"` // and around each further part of it

	Model     formula.Model `json:"model"`
	Bands     formula.Bands `json:"bands"`
	Residuals []Residual    `json:"residuals"`
}

// Residual is how far off estimates were on sessions that the family was not
// fitted on, in percent of what was appended.
type Residual struct {
	Of       string  `json:"of"` // the rows; kinds of text are of the long ones
	Rows     int     `json:"rows"`
	Sessions int     `json:"sessions"`
	P50      float64 `json:"p50"`
	P90      float64 `json:"p90"`
	Signed   float64 `json:"median"`         // above 0: estimated too high
	Inside   float64 `json:"in_band"`        // percent of the rows
	Whole95  float64 `json:"p95_of_context"` // percent of the whole prompt
}

// Builtin is the table that ships with the program: that of table.json, which
// is not parsed at each start. It must not be changed.
func Builtin() *Table { return &builtin }

// ParseTable reads a table as Text writes it.
func ParseTable(text []byte) (*Table, error) {
	var t Table
	if err := json.Unmarshal(text, &t); err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	if len(t.Families) != len(familyNames) {
		return nil, fmt.Errorf("table: %d families, want %d", len(t.Families), len(familyNames))
	}
	for i, f := range t.Families {
		if f.Name != familyNames[i] {
			return nil, fmt.Errorf("table: family %q, want %q", f.Name, familyNames[i])
		}
		if len(f.Bands) == 0 {
			return nil, errors.New("table: no bands of " + f.Name)
		}
	}
	return &t, nil
}

// Text writes the table for people: indented, with lists of numbers and small
// objects on one line.
func (t *Table) Text() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "\t")
	if err := e.Encode(t); err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	flat := regexp.MustCompile(`\{[^{}\[\]]*\}|\[[^{}\[\]]*\]`).ReplaceAllFunc(b.Bytes(), func(part []byte) []byte {
		part = bytes.Join(bytes.Fields(part), []byte(" "))
		for _, edge := range []string{"{", "["} {
			part = bytes.ReplaceAll(part, []byte(edge+" "), []byte(edge))
		}
		for _, edge := range []string{"}", "]"} {
			part = bytes.ReplaceAll(part, []byte(" "+edge), []byte(edge))
		}
		return part
	})
	return flat, nil
}
