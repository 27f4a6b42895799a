// Package formula is how tokens follow from the counts of a text.
//
//	counts ─┬─ linear ──── × exp(correction of ratios) ─┐
//	        └─ scripts outside ASCII ───────────────────┴─ sum, clamped ── tokens
//
// A Model holds the coefficients of one tokenizer. The linear part gives each
// count a price; the correction moves that by a third at most, by what the
// text is like: long words, long numbers, much punctuation. Characters of
// other scripts have prices of their own. The sum is kept between what a
// byte can cost at least and at most, so that no text is ever priced absurdly.
//
// A Band says how far off that may be, nine times in ten, by the size of the
// estimate and the kind of the text.
//
// The estimator and the program that fits the coefficients share this package.
package formula
