package calibrate

import "github.com/ctxmeter/ctxmeter/meter"

// Builtin is the estimator that ships with the program.
func Builtin() Table { return Table{} }

// Table estimates tokens from counts of characters, by model family.
type Table struct{}

// Tokens implements meter.Estimator.
func (Table) Tokens(model string, t meter.Text) (tokens, spread float64) { return 0, 0 }
