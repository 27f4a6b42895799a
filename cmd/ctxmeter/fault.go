package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
)

// How a command ends when it does not end well and all was said.
var (
	errLimit    = errors.New("at or over --fail-at")
	errReported = errors.New("reported")
	// errInterrupted: a signal ended what would have gone on.
	errInterrupted = errors.New("interrupted")
)

// fail says why there is no reading: JSON on standard output for programs, a
// sentence on standard error for people. A person at a terminal is spared the
// JSON unless it was asked for.
func (p *program) fail(err error, out config.Output) int {
	f := faultOf(err)
	asked := out == config.OutputJSON || out == config.OutputPretty
	if asked || !p.screen(p.stdout).terminal {
		p.printJSON(meter.Unavailable{SchemaVersion: meter.SchemaVersion, Status: meter.StatusUnavailable, Error: f}, out == config.OutputPretty)
	}
	p.say(f.Message)
	return exitNoReading
}

// faultOf makes a fault of any error, without what an error of the system may
// say about paths.
func faultOf(err error) *meter.Fault {
	if f, ok := errors.AsType[*meter.Fault](err); ok {
		return f
	}
	return &meter.Fault{Code: meter.CodeInternal, Message: "something went wrong: " + wording.Cause(err), Err: err}
}

// configFault tells a value in the file from one on the command line or in
// the environment.
func configFault(err error) error {
	code := meter.CodeBadArgument
	if e, ok := errors.AsType[*config.Error](err); ok && e.Origin.Layer == config.LayerFile {
		code = meter.CodeBadConfig
	}
	message := err.Error()
	if n := len(further(err)); n > 0 {
		message += fmt.Sprintf(" ('ctxmeter config' lists %d more)", n)
	}
	return &meter.Fault{Code: code, Message: message, Err: err}
}

// further is what else is wrong in the configuration file.
func further(err error) []*config.Error {
	if e, ok := errors.AsType[*config.Error](err); ok {
		return e.More
	}
	return nil
}

// crash reports a panic. What it says stays untold: it might quote anything.
func (p *program) crash(v any) int {
	p.trace(v)
	return p.fail(&meter.Fault{Code: meter.CodeInternal, Message: "ctxmeter has a bug and gives up; CTXMETER_DEBUG=1 prints where"}, "")
}

// trace tells a developer where a panic came from.
func (p *program) trace(v any) {
	if p.getenv("CTXMETER_DEBUG") != "" {
		fmt.Fprintf(p.stderr, "%v\n\n%s", v, debug.Stack())
	}
}

// printJSON prints v as one line, or indented.
func (p *program) printJSON(v any, pretty bool) { p.print(jsonOf(v, pretty)) }

// jsonOf is a line of JSON, or several.
func jsonOf(v any, pretty bool) string {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if pretty {
		enc.SetIndent("", "  ")
	}
	if err := enc.Encode(v); err != nil { // cannot be: only plain values are printed
		panic(err)
	}
	return wording.Escape(out.String())
}

// print writes to standard output in one piece. Where that cannot be done,
// run ends with a status that says so. Who reads no further, as head does, has
// what it wanted: nothing is said of that.
func (p *program) print(text string) {
	_, err := io.WriteString(p.stdout, text)
	switch {
	case err == nil || p.unwritable || p.gone:
	case closedPipe(err):
		p.gone = true
	default:
		p.unwritable = true
		p.say("standard output cannot be written: " + wording.Cause(err))
	}
}
