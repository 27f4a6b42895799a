package tail

// wideRanges are the code points that Counts.Wide counts: CJK ideographs and
// radicals, kana and hangul. Their ends are multiples of 32, which makes the
// look-up a bit in a table; the few signs of other kinds inside the blocks
// (bopomofo, halfwidth punctuation) are written in the same company.
var wideRanges = [...][2]rune{
	{0x1100, 0x11FF}, // hangul jamo
	{0x2E80, 0x2FFF}, // radicals, description characters
	{0x3040, 0x33FF}, // kana, bopomofo, compatibility jamo, enclosed and squared
	{0x3400, 0x4DBF}, // ideographs, extension A
	{0x4E00, 0x9FFF}, // ideographs
	{0xA960, 0xA97F}, // jamo, extended A
	{0xAC00, 0xD7FF}, // hangul syllables, jamo extended B
	{0xF900, 0xFAFF}, // compatibility ideographs
	{0xFF60, 0xFFDF}, // halfwidth kana and hangul
}

// wideBlocks has a bit for every 32 code points of the basic plane.
var wideBlocks = func() (t [0x10000 / 32 / 64]uint64) {
	for _, r := range wideRanges {
		for b := r[0] >> 5; b <= r[1]>>5; b++ {
			t[b>>6] |= 1 << (b & 63)
		}
	}
	return t
}()

func wide(r rune) bool {
	switch {
	case r < 0x10000:
		return wideBlocks[r>>11]>>(r>>5&63)&1 != 0
	case r < 0x20000:
		return 0x1AFF0 <= r && r <= 0x1B16F // kana supplements
	}
	return r <= 0x3FFFF // ideographs, extensions B and on
}
