package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/ctxmeter/ctxmeter/calibrate"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr, time.Now()); err != nil {
		fmt.Fprintln(os.Stderr, "fit:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer, now time.Time) error {
	flags := flag.NewFlagSet("fit", flag.ContinueOnError)
	flags.SetOutput(stderr)
	folder := flags.String("rows", "", "folder of claude-code-growth.csv and codex-growth.csv")
	known := flags.String("known", "", "rows of texts whose tokens are known")
	out := flags.String("out", "", "write the table here")
	if err := flags.Parse(args); err != nil {
		return err
	}
	d, err := load(*folder, *known)
	if err != nil {
		return err
	}
	table := d.table(now)
	for _, f := range table.Families {
		for _, r := range f.Residuals {
			fmt.Fprintf(stdout, "%-10s %-26s %5d rows %4d sessions  p50 %5.2f %%  p90 %6.2f %%  median %+6.2f %%  in band %5.1f %%  of the whole p95 %.2f %%\n",
				f.Name, r.Of, r.Rows, r.Sessions, r.P50, r.P90, r.Signed, r.Inside, r.Whole95)
		}
	}
	if *out == "" {
		return nil
	}
	text, err := table.Text()
	if err != nil {
		return err
	}
	return os.WriteFile(*out, text, 0o644)
}

// load reads the tables. Translations and emoji of the known texts are left
// out: scripts have prices of their own.
func load(folder, known string) (*data, error) {
	d := &data{rows: map[string][]*row{}}
	for _, name := range []string{"claude-code-growth.csv", "codex-growth.csv"} {
		rows, err := readFile(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		for _, f := range families {
			d.rows[f] = append(d.rows[f], usable(rows, f)...)
		}
	}
	for _, f := range families {
		if len(d.rows[f]) == 0 {
			return nil, fmt.Errorf("no usable rows of %s in %s", f, folder)
		}
	}
	if known == "" {
		return d, nil
	}
	rows, err := readFile(known)
	for _, r := range rows {
		c := r.counts
		if float64(c.Latin+c.Alpha+c.Wide+c.Signs) < .3*float64(c.Chars) {
			d.known = append(d.known, r)
		}
	}
	return d, err
}

func readFile(path string) ([]*row, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	rows, err := readRows(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return rows, nil
}

// table fits and measures everything.
func (d *data) table(now time.Time) *calibrate.Table {
	models, how := d.fitAll()
	predicted := d.cross(models[calibrate.Claude])
	t := &calibrate.Table{
		Made:   now.UTC().Format(time.DateOnly),
		Method: fmt.Sprintf("least relative distances with outliers weighed down, rows weighed by session; figures and bands of sessions not fitted on, in %d folds", folds),
	}
	for _, name := range families {
		m, rows := models[name], d.rows[name]
		for i := range m.Linear {
			m.Linear[i] = round(m.Linear[i], 5)
		}
		for i := range m.Correction {
			m.Correction[i] = round(m.Correction[i], 5)
		}
		sessions := map[string]bool{}
		for _, r := range rows {
			sessions[r.session] = true
		}
		t.Families = append(t.Families, calibrate.Family{
			Name: name, Rows: len(rows), Sessions: len(sessions), How: how[name],
			FirstBlock: round(m.first, 1), FurtherBlock: round(m.further, 1),
			Model: m.Model, Bands: bandsOf(rows, predicted),
			Residuals: residuals(rows, predicted, crossInside(rows, predicted)),
		})
	}
	return t
}
