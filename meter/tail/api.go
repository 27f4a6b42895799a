package tail

// Counts is what a piece of text is made of: the raw material of an
// estimate. All fields are amounts of code points, but Bytes, which is the
// length of the decoded text in UTF-8. JSON escapes are counted as what they
// stand for.
type Counts struct {
	Bytes    int64 // UTF-8 bytes of the decoded text
	Chars    int64 // code points, all of them
	Letters  int64 // ASCII letters
	Digits   int64 // ASCII digits
	Spaces   int64 // blanks and tabs
	Newlines int64 // line feeds and carriage returns
	Punct    int64 // other ASCII
	Wide     int64 // CJK, kana, hangul
	Other    int64 // every other code point over U+007F
}

// Add adds b to c, field by field.
func (c *Counts) Add(b Counts) {
	c.Bytes += b.Bytes
	c.Chars += b.Chars
	c.Letters += b.Letters
	c.Digits += b.Digits
	c.Spaces += b.Spaces
	c.Newlines += b.Newlines
	c.Punct += b.Punct
	c.Wide += b.Wide
	c.Other += b.Other
}
