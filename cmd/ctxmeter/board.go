package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
)

// board shows a person the sessions that may be meant, each with its gauge,
// where the error holds candidates. A session that cannot be read has a line
// like any other.
func (p *program) board(err error, f *finder, s *config.Settings) {
	fault, ok := errors.AsType[*meter.Fault](err)
	if !ok || len(fault.Candidates) == 0 || !p.screen(p.stdout).terminal {
		return
	}
	st := p.style(s)
	var b strings.Builder
	for _, c := range fault.Candidates {
		b.WriteString(st.row(c, p.glance(c, f, s)) + "\n")
	}
	p.print(b.String())
}

// glance reads a candidate, or returns nil.
func (p *program) glance(c meter.Candidate, f *finder, s *config.Settings) *meter.Reading {
	hits, err := f.search(c.ID)
	if err != nil {
		return nil
	}
	for _, h := range hits {
		if h.session.Backend != c.Backend {
			continue
		}
		if r, err := p.read(h, s, nil); err == nil {
			return &r
		}
	}
	return nil
}

// row is a candidate on one line: gauge, share, age, id.
func (st style) row(c meter.Candidate, r *meter.Reading) string {
	const cells = 10
	head := strings.Repeat(" ", cells) + "   no reading"
	when := ""
	if r != nil && r.UsedPercent != nil {
		head = st.gauge(r, cells) + " " + st.paint(colorOf(r.Level), fmt.Sprintf("%12s", percent(*r.UsedPercent)))
	}
	if r != nil && r.EventAgeSeconds != nil {
		when = age(*r.EventAgeSeconds) + " ago"
	}
	live := ""
	if c.Live {
		live = "  live"
	}
	return fmt.Sprintf("%s  %11s  %-11s  %s%s", head, when, name(c.Backend), name(c.ID), live)
}
