package main

import (
	"errors"
	"fmt"

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
	var readings []*meter.Reading
	for _, c := range fault.Candidates {
		readings = append(readings, p.glance(c, f, s))
	}
	text := p.style(s).table(fault.Candidates, readings)
	if more, ok := errors.AsType[omitted](err); ok {
		text += fmt.Sprintf("… and %d more\n", int(more))
	}
	p.print(text)
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
