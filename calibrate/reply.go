package calibrate

import "github.com/ctxmeter/ctxmeter/meter"

// Reply implements meter.Estimator. Claude Code before 2.1.59 mostly stored a
// first number of the stream instead of the final one. Where no line has a stop
// reason and the number cannot be the reply's, or is far below what it holds,
// the reply is estimated from its content.
func (t *Table) Reply(c meter.Context) meter.Estimate {
	stated := meter.Estimate{Tokens: float64(c.Usage.Output)}
	f, _ := familyOf(c.Model)
	if c.Ended || f == gpt {
		return stated
	}
	m, b := &t.Families[f].Model, &c.Body
	content := m.Tokens(&b.Reply) + calls(f, m, b)
	thought := thinking(m, b)
	least := .6 * (content + .5*thought)
	if Placeholder(c.Version, c.Usage.Output) {
		least = content + thought
	}
	if stated.Tokens >= least {
		return stated
	}
	return replyBand(content + thought)
}

// replyBand is the band around a reply that was estimated from its content:
// 91 % of 2,649 such replies (37 sessions, by session 92 %) lie in it, together
// with what followed them. Thinking that was not recorded makes the truth
// larger more often than smaller.
func replyBand(tokens float64) meter.Estimate {
	return meter.Estimate{Tokens: tokens, Below: min(20+.15*tokens, tokens), Above: 200 + .3*tokens}
}

// Placeholder reports that the output which a Claude Code of this version
// stored for a reply without a stop reason is not its size. Before 2.1.59 the
// first numbers of the stream reach 60: of 2,647 such replies up to there 1 %
// fit the growth of the next prompt, of 35 from 61 to 80 every second one.
func Placeholder(version string, output int64) bool {
	if before(version, 2, 1, 59) {
		return output <= 60
	}
	return output <= 8
}

// before reports a version below a.b.c; one that cannot be read is not.
func before(version string, a, b, c int) bool {
	for _, least := range [...]int{a, b, c} {
		n, digits := 0, 0
		for digits < len(version) && version[digits] >= '0' && version[digits] <= '9' {
			n = 10*n + int(version[digits]-'0')
			digits++
		}
		if digits == 0 {
			return false
		}
		if n != least {
			return n < least
		}
		version = version[digits:]
		if version != "" && version[0] == '.' {
			version = version[1:]
		}
	}
	return false
}
