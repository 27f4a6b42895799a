package transcript

// InSmallSteps makes a Load search and slice in steps of a 128th, so that
// small files take the ways of large ones.
func InSmallSteps(o Options) Options {
	o.divide = 128
	return o
}
