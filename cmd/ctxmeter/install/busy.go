package install

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/lock"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
)

// The lock of Claude Code (2.1.197) around its own changes of .claude.json: a
// folder beside it, <file>.lock, which is made, renewed every few seconds, and
// removed. One that was not renewed for ten seconds belongs to nobody. It takes
// none around settings.json.
const (
	clientLockStale = 10 * time.Second
	clientLockStep  = 20 * time.Millisecond
	clientLockTries = 550 // a little longer than it takes one to be stale
)

var errBusy = errors.New("its client is writing it, and it was not touched: try again")

// alone does something while the client that rewrites the file is kept out.
func (pl target) alone(ctx context.Context, do func() error) error {
	if pl.Busy == "" || pl.Scope == wiring.ScopeProject {
		return do()
	}
	path := pl.Path + ".lock"
	if err := lockClient(ctx, path, time.Now, lock.Pause); err != nil {
		return err
	}
	err := do()
	if e := os.Remove(path); !errors.Is(e, fs.ErrNotExist) {
		err = errors.Join(err, e)
	}
	return err
}

func lockClient(ctx context.Context, path string, now func() time.Time, wait func(context.Context, time.Duration)) error {
	for range clientLockTries {
		err := os.Mkdir(path, 0o777)
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
		info, err := os.Lstat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return err
		case now().Sub(info.ModTime()) > clientLockStale:
			if !info.IsDir() || os.Remove(path) != nil {
				return fmt.Errorf("%w, and remove %s if it stays", errBusy, path)
			}
			continue
		}
		if wait(ctx, clientLockStep); ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return errBusy
}
