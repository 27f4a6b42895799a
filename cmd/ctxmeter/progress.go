package main

import (
	"fmt"
	"time"
)

// progress is a line on standard error that says how far a long command has
// come. It is drawn on a terminal only, and a few times a second at most.
type progress struct {
	p     *program
	width int // 0: nothing is drawn
	last  time.Time
	drawn bool
}

// redraw is how long a line stands at least.
const redraw = 100 * time.Millisecond

func (p *program) progress() *progress {
	pr := &progress{p: p, last: p.now()}
	if sc := p.screen(p.stderr); sc.terminal {
		pr.width = p.width(sc)
	}
	return pr
}

// show draws a line over the one before.
func (pr *progress) show(text string) {
	now := pr.p.now()
	if pr.width == 0 || now.Sub(pr.last) < redraw {
		return
	}
	pr.last, pr.drawn = now, true
	fmt.Fprint(pr.p.stderr, "\r\x1b[K"+cut(text, pr.width-1))
}

// clear takes the line away.
func (pr *progress) clear() {
	if pr.drawn {
		fmt.Fprint(pr.p.stderr, "\r\x1b[K")
		pr.drawn = false
	}
}
