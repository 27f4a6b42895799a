package doctor

import (
	"context"
	"os"
	"strings"
	"time"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
)

const (
	// mostTrials is how many different commands are tried.
	mostTrials = 12
	// trialsLimit is how long all trials may take together before no further
	// one is begun.
	trialsLimit = 6 * time.Second
)

// tried has what became of the commands that were tried.
type tried struct {
	results map[string]Result // by command
	spent   time.Duration
	unready bool // there is no temporary folder to try them in
}

// try tries a command, once. untried says why it is not tried, "" if it was.
func (d *doctor) try(ctx context.Context, pl wiring.Place, w wiring.Wired, program string) (result Result, untried string) {
	if why := d.forbidden(pl, w, program); why != "" {
		return Result{}, why
	}
	t := d.trialOf(w, program)
	key := strings.Join(append([]string{t.Part, t.Shell}, t.Words...), "\x00")
	if result, known := d.tried.results[key]; known {
		return result, ""
	}
	switch {
	case d.tried.unready:
		return Result{}, "there is no temporary folder"
	case len(d.tried.results) >= mostTrials:
		return Result{}, "enough others were"
	case d.tried.spent >= trialsLimit:
		return Result{}, "the others took too long"
	}
	result = d.Trial(ctx, t)
	if result.Unready {
		d.tried.unready = true
		d.problem("trials", "no temporary folder can be made, or written, in "+os.TempDir()+": the commands were not tried", "let "+TemporaryVariable(d.env.OS)+" name a folder that you can write, or make that one")
		return Result{}, "there is no temporary folder"
	}
	d.tried.results[key] = result
	d.tried.spent += result.Took
	return result, ""
}

// TemporaryVariable is the variable that names the folder of temporary files
// ([os.TempDir]).
func TemporaryVariable(goos string) string {
	if goos == "windows" {
		return "TMP"
	}
	return "TMPDIR"
}
