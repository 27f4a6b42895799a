package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
)

// list prints the key moments, one after the other.
func (d *demo) list(ctx context.Context) error {
	st := d.style(d.settings)
	narrow := st
	narrow.width -= 2
	form := d.form(d.settings)
	asText := d.settings.Output == "" || form == config.OutputText || form == config.OutputLine
	if asText {
		d.print(st.wrap(demoOpening+" "+demoJumps, "") + "\n")
	}
	for i, m := range moments() {
		if ctx.Err() != nil {
			return errInterrupted
		}
		if d.gone {
			return nil
		}
		r, err := d.next(m.records, m.planned)
		switch {
		case err != nil:
			return err
		case asText:
			d.print(st.moment(i, &r))
		default:
			d.printJSON(r, form == config.OutputPretty)
		}
		if asText && i == len(moments())-1 {
			d.print("\nThe same reading in full, as 'ctxmeter' shows it on a terminal:\n\n" + indent(narrow.text(&r, d.settings)))
		}
	}
	if asText {
		d.print("\n" + st.wrap(demoClosing, "") + "\n")
	}
	return nil
}

// moment is a key moment on a line, below what there is to say of it.
func (st style) moment(i int, r *meter.Reading) string {
	m := moments()[i]
	return "\n" + st.wrap(fmt.Sprintf("Record %d: %s", m.records, m.caption), "") + "\n" + st.broken("  "+st.line(r), "    ")
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ") + "\n"
}

// play draws the session in place, a frame for each record, and then lists the
// key moments, since what was drawn over is gone.
func (d *demo) play(ctx context.Context, pause time.Duration) error {
	st := d.style(d.settings)
	d.print("\x1b[?25l")       // the cursor would flicker
	defer d.print("\x1b[?25h") // it comes back however this ends
	d.print(st.wrap(demoOpening+" This takes half a minute; ctrl-C ends it.", "") + "\n\n")
	caption, lines, kept := "", 0, ""
	for n := 1; n <= sampleLength(); n++ {
		hold, planned, key := pause, "", -1
		caption = "" // what was said of a moment holds for that moment
		for i, m := range moments() {
			if m.records == n {
				caption, planned, hold, key = m.caption, m.planned, 6*pause, i
			}
		}
		r, err := d.next(n, planned)
		if err != nil {
			return err
		}
		if key >= 0 {
			kept += st.moment(key, &r)
		}
		head := fmt.Sprintf("Record %d of %d. ", n, sampleLength())
		picture := st.paint(colorStrong, st.wrap(head+caption, "")) + "\n" + st.text(&r, d.playing(planned))
		up := ""
		if lines > 0 {
			up = fmt.Sprintf("\x1b[%dA\r\x1b[J", lines)
		}
		lines = strings.Count(picture, "\n")
		d.print(up + picture)
		d.wait(ctx, hold)
		if ctx.Err() != nil {
			d.print("\n")
			return errInterrupted
		}
	}
	d.print("\n" + st.wrap("The key moments once more. "+demoJumps, "") + "\n" + kept + "\n" + st.wrap(demoClosing, "") + "\n")
	return nil
}

// playing are the settings of a reading with a planned read.
func (d *demo) playing(planned string) *config.Settings {
	s := *d.settings
	s.Planned = planned
	return &s
}
