package doctor

import (
	"errors"
	"io/fs"
	"time"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
)

// checkLearned tells what readings rest on beside the built-in table.
func (d *doctor) checkLearned() {
	const check = "calibration"
	switch l, err := d.Learned(); {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		d.note(check, "what was learned of your transcripts cannot be used ("+wording.Cause(err)+"): the built-in table counts",
			"'ctxmeter calibrate' learns it anew, 'ctxmeter calibrate --reset' removes it")
	case l != nil:
		d.ok(check, "learned of %s up to %s: %s, %s to start from, %s after compactions, %s",
			wording.Counted(l.Transcripts, "transcript"), l.At.Format(time.DateOnly),
			wording.Counted(len(l.Ratios), "ratio"), wording.Counted(len(l.Overheads), "amount"), wording.Number(int64(len(l.Restored))), wording.Counted(len(l.Triggers), "trigger"))
	}
}
