package calibrate

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// counter counts texts with the meter's own scanner.
type counter struct {
	scanner *tail.Scanner
	text    tail.Counter
	counts  tail.Counts
}

func newCounter() *counter {
	schema := tail.NewSchema()
	c := &counter{text: schema.Count("t")}
	c.scanner = tail.NewScanner(schema)
	return c
}

func (c *counter) Begin(*tail.Record, tail.Array)   {}
func (c *counter) Element(*tail.Record, tail.Array) {}
func (c *counter) Record(r *tail.Record)            { c.counts = r.Counts(c.text) }

func (c *counter) count(t testing.TB, text string) tail.Counts {
	t.Helper()
	line, err := json.Marshal(map[string]string{"t": text})
	if err != nil {
		t.Fatal(err)
	}
	c.counts = tail.Counts{}
	if _, err := c.scanner.Stream(bytes.NewReader(append(line, '\n')), 0, c); err != nil {
		t.Fatal(err)
	}
	return c.counts
}
