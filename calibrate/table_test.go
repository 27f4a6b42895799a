package calibrate

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"os"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write builtin.go anew from table.json")

// The table in the program is that of the file that people read.
func TestTheProgramHasTheTableOfTheFile(t *testing.T) {
	shipped, err := os.ReadFile("table.json")
	if err != nil {
		t.Fatal(err)
	}
	table, err := ParseTable(shipped)
	if err != nil {
		t.Fatal(err)
	}
	code := fmt.Sprintf("// Code generated from table.json by go test -update. DO NOT EDIT.\n\npackage calibrate\n\nimport \"github.com/ctxmeter/ctxmeter/calibrate/formula\"\n\nvar builtin = %#v\n", *table)
	source, err := format.Source([]byte(strings.ReplaceAll(strings.ReplaceAll(code, "calibrate.", ""), "}, ", "},\n")))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("builtin.go", source, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if had, err := os.ReadFile("builtin.go"); err != nil || !bytes.Equal(had, source) {
		t.Errorf("builtin.go is not made of table.json (%v): go test ./calibrate -update", err)
	}
	if !*update && !reflect.DeepEqual(*table, builtin) {
		t.Error("the program was built with another table")
	}
}

// The table of the program is what the program that fits it writes, byte for
// byte: nobody changed a number by hand.
func TestTheTableReadsBackAsItIsWritten(t *testing.T) {
	shipped, err := os.ReadFile("table.json")
	if err != nil {
		t.Fatal(err)
	}
	table, err := ParseTable(shipped)
	if err != nil {
		t.Fatal(err)
	}
	text, err := table.Text()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, shipped) {
		t.Error("table.json is not as Text writes it")
	}
}

func TestTheTableTellsWhereItComesFrom(t *testing.T) {
	table := Builtin()
	if table.Made == "" || table.Method == "" {
		t.Error("no date or no method")
	}
	for _, f := range table.Families {
		if f.Rows == 0 || f.Sessions == 0 || f.How == "" || len(f.Residuals) < 8 {
			t.Errorf("%s: %d rows, %d sessions, how %q, %d residuals", f.Name, f.Rows, f.Sessions, f.How, len(f.Residuals))
		}
		for i, price := range f.Model.Linear {
			if price < 0 {
				t.Errorf("%s: price %d is %g", f.Name, i, price)
			}
		}
		for i, b := range f.Bands {
			if b.Low >= 0 || b.High <= 0 || i > 0 && b.Below <= f.Bands[i-1].Below {
				t.Errorf("%s: band %+v", f.Name, b)
			}
		}
	}
}

// The README states the figures of the table.
func TestReadmeStatesTheFiguresOfTheTable(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	rows, sessions := 0, 0
	var off []any
	for _, f := range Builtin().Families {
		rows += f.Rows
		sessions += f.Sessions
		for _, r := range f.Residuals {
			if r.Of == "over 1500 characters" {
				off = append(off, r.P50)
			}
		}
	}
	for _, want := range []string{
		fmt.Sprintf("fitted on %d,%03d pairs of requests of %d real sessions", rows/1000, rows%1000, sessions),
		fmt.Sprintf("%.1f %% at the median for Claude up to 4.6, by %.1f %% for newer ones, and by %.1f %% for GPT", off...),
	} {
		if !strings.Contains(string(readme), want) {
			t.Errorf("README.md does not say %q", want)
		}
	}
}

func TestABrokenTableIsRefused(t *testing.T) {
	shipped, err := os.ReadFile("table.json")
	if err != nil {
		t.Fatal(err)
	}
	text := string(shipped)
	for name, broken := range map[string]string{
		"empty":              "",
		"cut off":            text[:len(text)/2],
		"another family":     strings.Replace(text, `"name": "gpt"`, `"name": "other"`, 1),
		"a price missing":    strings.Replace(text, `"words"`, `"wards"`, 1),
		"a term missing":     strings.Replace(text, `"letters/word": [`, `"letters/word": [1, `, 1),
		"a ratio missing":    strings.Replace(text, `"punct/run"`, `"punkt/run"`, 1),
		"no table":           `{}`,
		"numbers are texts":  strings.Replace(text, `"words": `, `"words": "x", "w": `, 1),
		"an unnamed product": strings.Replace(text, `"1": [`, `"1": [2, `, 1),
	} {
		if broken == text {
			t.Fatalf("%s: nothing is broken", name)
		}
		if _, err := ParseTable([]byte(broken)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
