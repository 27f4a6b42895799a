package main

import (
	"fmt"

	"github.com/ctxmeter/ctxmeter/calibrate"
	"github.com/ctxmeter/ctxmeter/calibrate/formula"
)

// data are the rows to fit on, by family, and the texts of known size.
type data struct {
	rows  map[string][]*row
	known []*row
}

// families in the order of the table.
var families = []string{calibrate.Claude, calibrate.Claude47, calibrate.GPT}

// Weights of a text of known size beside a row of a session with one row.
// More of it helps on such texts and hurts on real sessions.
const (
	knownWeight  = .02
	base64Weight = .01
)

// The scripts of GPT are counted with o200k_base over translations of
// programs' messages: tokens beyond those of the text's ASCII, a code point.
// Russian .28, Ukrainian .37, Greek .41, Arabic .37, Hebrew .49, Hindi .52,
// Thai .54; Japanese and Korean .68, Chinese .74 to 1.03; Vietnamese .36, Czech
// 1.14; emoji 2.0. Rare scripts take 2 to 4. The sessions of Claude have no
// script but signs: its other scripts are those of o200k times 1.3, the ratio
// of the two on ordinary code, and not measured.
var (
	gptScripts    = formula.Scripts{Latin: .8, Alpha: .42, Wide: .77, Astral: 2}
	claudeScripts = formula.Scripts{Latin: 1.04, Alpha: .55, Wide: 1, Astral: 2.6}
)

// guessed adds to rows of Claude what they lack altogether: base64, taken at
// 1.2 times o200k's count. It keeps the fit from extrapolating.
func (d *data) guessed(rows []*row) []*row {
	out := append([]*row(nil), rows...)
	for _, r := range d.known {
		if r.version == "base64" {
			guess := *r
			guess.growth *= 1.2
			out = append(out, &guess)
		}
	}
	return out
}

// fit fits a family on rows; older is the model that the newer one of Claude
// is made from. The words say how.
func (d *data) fit(family string, rows []*row, older *fitted) (*fitted, string) {
	switch family {
	case calibrate.Claude:
		guesses := d.guessed(nil)
		return fit(append(guesses, rows...), claudeScripts, base64Weight),
			fmt.Sprintf("linear part and correction fitted on its own rows; %d texts of base64 are taken at 1.2 times o200k_base (a guess, weight %g); scripts outside ASCII are o200k_base times 1.3 (a guess)", len(guesses), base64Weight)
	case calibrate.Claude47:
		m, s := transfer(rows, older)
		how := "the model of " + calibrate.Claude + " with"
		for i, x := range s {
			how += fmt.Sprintf(" %s times %.3f,", scaling[i], x)
		}
		return m, how + " fitted on its own rows; scripts outside ASCII as there"
	}
	return fit(append(append([]*row(nil), rows...), d.known...), gptScripts, knownWeight),
		fmt.Sprintf("linear part and correction fitted on its own rows and on %d texts counted with o200k_base (weight %g); scripts outside ASCII counted with it", len(d.known), knownWeight)
}

// fitAll fits every family on all its rows.
func (d *data) fitAll() (models map[string]*fitted, how map[string]string) {
	models, how = map[string]*fitted{}, map[string]string{}
	for _, f := range families {
		models[f], how[f] = d.fit(f, d.rows[f], models[calibrate.Claude])
	}
	return models, how
}

// cross predicts every row from a model that saw no row of its session.
func (d *data) cross(older *fitted) map[*row]float64 {
	out := map[*row]float64{}
	for _, f := range families {
		for k := range folds {
			some := *d
			some.known = besides(d.known, k)
			if f == calibrate.Claude {
				some.known = d.known
			}
			m, _ := some.fit(f, besides(d.rows[f], k), older)
			for _, r := range d.rows[f] {
				if r.fold == k {
					out[r] = m.predict(r)
				}
			}
		}
	}
	return out
}
