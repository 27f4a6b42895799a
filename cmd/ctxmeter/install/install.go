package install

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
)

// ErrIncomplete is the error of what could not all be done, and was said.
var ErrIncomplete = errors.New("done in part")

// Options is what an installation depends on.
type Options struct {
	wiring.Selection
	Install bool   // put in; otherwise take out
	Apply   bool   // write; otherwise show
	State   string // ctxmeter's state folder, "" if unknown

	Now        func() time.Time
	Executable func() (string, error)                                      // the running program
	Try        func(ctx context.Context, s wiring.Self, goos string) error // start what is about to be written
	Accepts    func(args []string) error                                   // whether ctxmeter takes such arguments

	Print func(text string) // to standard output, as it is
	Line  func(text string) // a line for people to standard output, without its end
	Say   func(text string) // a sentence beside the answer
}

// Run installs or uninstalls. The error is [ErrIncomplete] if a file could not
// be edited, which was said, and a [meter.Fault] if nothing can be done.
func Run(ctx context.Context, o Options) error {
	i := &installer{Options: o}
	if o.State != "" {
		i.archive.dir = filepath.Join(o.State, "installed")
	}
	return i.run(ctx)
}

// installer installs and uninstalls.
type installer struct {
	Options
	archive archive

	release func()          // the lock, once it is taken
	unheld  error           // why it cannot be
	damaged map[string]bool // files whose manifests were said to be
	told    bool            // something was said of a file
}

// target is a settings file that something is put into, or taken out of.
type target struct {
	wiring.Place
	brought []brought
}

func (i *installer) targets(s wiring.Self) (out []target) {
	for _, pl := range i.Places(s) {
		out = append(out, target{Place: pl})
	}
	return out
}

// tell prints a line for people.
func (i *installer) tell(format string, args ...any) {
	i.told = true
	i.Line(fmt.Sprintf(format, args...))
}
