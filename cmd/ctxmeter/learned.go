package main

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/ctxmeter/ctxmeter/calibrate"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// learnedFile is the file that holds what was learned; "" if there is no place
// for it.
type learnedFile string

func (p *program) learned() learnedFile {
	dir := config.FindPlaces(p.getenv, p.home(), p.goos).State
	if dir == "" {
		return ""
	}
	return learnedFile(filepath.Join(dir, "calibration.json"))
}

// mostLearnedFile is in bytes: all that is kept at most takes 100,000.
const mostLearnedFile = 256 << 10

// load returns what was learned; nil if nothing was, or if it is damaged: then
// the table counts, and doctor tells of it.
func (f learnedFile) load() (*calibrate.Learned, error) { return f.decode(calibrate.DecodeLearned) }

func (f learnedFile) decode(as func([]byte) (*calibrate.Learned, error)) (*calibrate.Learned, error) {
	if f == "" {
		return nil, nil
	}
	data, err := files.Read(string(f), mostLearnedFile)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return as(data)
}

// keep writes it in one piece.
func (f learnedFile) keep(l *calibrate.Learned) error {
	fault := func(err error) error {
		return &meter.Fault{Code: meter.CodeInternal, Message: "what was learned cannot be kept in " + string(f) + " (" + wording.Cause(err) + "); --dry-run shows it all the same", Err: err}
	}
	if f == "" {
		return fault(errors.New("there is no home folder"))
	}
	data, err := l.Encode()
	if err == nil {
		_, err = calibrate.DecodeLearned(data) // no reading would take it
	}
	if err != nil {
		return fault(err)
	}
	dir := filepath.Dir(string(f))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fault(err)
	}
	half, err := os.CreateTemp(dir, "calibration.*.tmp") // mode 0600
	if err != nil {
		return fault(err)
	}
	_, err = half.Write(data)
	if e := half.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(half.Name(), string(f))
	}
	if err != nil {
		os.Remove(half.Name())
		return fault(err)
	}
	return nil
}

func (f learnedFile) forget() error {
	if f == "" {
		return os.ErrNotExist
	}
	return os.Remove(string(f))
}

// fit returns the session with what was learned of its client's triggers, and
// the estimator for it. What is damaged counts as nothing: doctor tells of it.
func (p *program) fit(s meter.Session) (meter.Session, meter.Estimator) {
	l, err := p.learned().decode(calibrate.OpenLearned)
	if err != nil {
		p.debug(err)
	}
	s.Seen = l.Autos(s.Backend)
	return s, l.For(s)
}
