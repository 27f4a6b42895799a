package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/lock"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// hookStore keeps what the hooks of one session remember: a file of its own in
// the state folder. Hooks of one session may run at the same time, where the
// agent uses several tools at once: who holds the lock decides.
type hookStore struct {
	dir, key string
	now      func() time.Time
	wait     func(context.Context, time.Duration)
}

const (
	mostHookFiles = 256     // of sessions that are remembered
	keptHookFiles = 192     // when there were more
	mostHookFile  = 1 << 16 // bytes
	lockTries     = 200     // as many as are run side by side for one reply
	lockPause     = time.Millisecond
	lockFiles     = 16
)

// hookStore is the store of a session; ok is false if it has no place or no
// proper id. Then nothing can be said once only, and so nothing is.
func (p *program) hookStore(said meter.Payload, backend string) (hookStore, bool) {
	state := config.FindPlaces(p.getenv, p.home(), p.goos).State
	key := backend + "-" + said.Session
	if said.Agent != "" && said.Agent != said.Session {
		key += "-" + said.Agent
	}
	ok := state != "" && said.Session != "" && len(key) <= 200 && strings.Trim(key, nameAlphabet) == ""
	return hookStore{filepath.Join(state, "hooks"), key, p.now, p.wait}, ok
}

func (h hookStore) path() string { return filepath.Join(h.dir, h.key+".json") }

// load returns what is remembered. What is damaged or of another version is
// nothing.
func (h hookStore) load() hookMemory {
	var m hookMemory
	data, err := files.Read(h.path(), mostHookFile)
	if err != nil || json.Unmarshal(data, &m) != nil || m.Version != hookVersion || !m.sane() {
		return hookMemory{Version: hookVersion}
	}
	return m
}

// save writes the memory in one piece.
func (h hookStore) save(m hookMemory) error {
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	rule := keeping{most: mostHookFiles, left: keptHookFiles, half: time.Minute}
	return rule.keep(h.path(), append(data, '\n'), h.now())
}

// lock lets one hook of the session decide at a time. Who does not get it soon
// says nothing: another one is about to. All sessions share a few lock files,
// which stay; where the system has no lock to give, it may be said twice.
func (h hookStore) lock(ctx context.Context) (unlock func(), ok bool) {
	if err := os.MkdirAll(h.dir, 0o700); err != nil {
		return nil, false
	}
	for range lockTries {
		unlock, err := lock.Try(h.lockPath())
		switch {
		case err == nil:
			return unlock, true
		case !errors.Is(err, lock.ErrLocked):
			return func() {}, true
		}
		h.wait(ctx, lockPause)
	}
	return nil, false
}

func (h hookStore) lockPath() string {
	sum := fnv.New32a()
	_, _ = io.WriteString(sum, h.key)
	return filepath.Join(h.dir, fmt.Sprintf("lock-%x", sum.Sum32()%lockFiles))
}
