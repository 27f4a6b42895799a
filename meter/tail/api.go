package tail

// Counts is what a piece of text is made of: the raw material of an
// estimate. JSON escapes are counted as what they stand for. A run ends where
// its string ends.
type Counts struct {
	Bytes int64 // UTF-8 bytes of the decoded text
	Chars int64 // code points, all of them

	// Code points; together they are Chars.
	Letters     int64 // of ASCII
	Digits      int64 // of ASCII
	Spaces      int64 // blanks and tabs
	Newlines    int64 // line feeds and carriage returns
	Underscores int64
	Punct       int64 // other ASCII
	Latin       int64 // U+0080 to U+024F
	Alpha       int64 // other alphabets: U+0250 to U+1FFF
	Wide        int64 // CJK, kana, hangul
	Signs       int64 // the rest up to U+FFFF: arrows, boxes, dashes
	Astral      int64 // the rest beyond: emoji

	Words      int64 // runs of ASCII letters
	CaseBreaks int64 // a small ASCII letter, then a capital
	DigitRuns  int64
	SpaceRuns  int64 // runs of two or more blanks
	PunctRuns  int64
}

// Add adds b to c, field by field.
func (c *Counts) Add(b Counts) {
	c.Bytes += b.Bytes
	c.Chars += b.Chars
	c.Letters += b.Letters
	c.Digits += b.Digits
	c.Spaces += b.Spaces
	c.Newlines += b.Newlines
	c.Underscores += b.Underscores
	c.Punct += b.Punct
	c.Latin += b.Latin
	c.Alpha += b.Alpha
	c.Wide += b.Wide
	c.Signs += b.Signs
	c.Astral += b.Astral
	c.Words += b.Words
	c.CaseBreaks += b.CaseBreaks
	c.DigitRuns += b.DigitRuns
	c.SpaceRuns += b.SpaceRuns
	c.PunctRuns += b.PunctRuns
}

// All are the fields, in their order.
func (c *Counts) All() [18]*int64 {
	return [...]*int64{
		&c.Bytes, &c.Chars,
		&c.Letters, &c.Digits, &c.Spaces, &c.Newlines, &c.Underscores, &c.Punct,
		&c.Latin, &c.Alpha, &c.Wide, &c.Signs, &c.Astral,
		&c.Words, &c.CaseBreaks, &c.DigitRuns, &c.SpaceRuns, &c.PunctRuns,
	}
}
