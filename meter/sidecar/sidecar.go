package sidecar

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// Entry is the content of a sidecar.
type Entry struct {
	Files []File       // the segments of the transcript, oldest first
	State meter.State  // the scan that answers
	Past  *meter.State // the scan of what lies before State.FactsFrom, while it is not complete
}

// Store is a folder of sidecars. The zero Store holds nothing and keeps
// nothing.
type Store struct{ Dir string }

// Key names the sidecar of the transcript whose newest file is path.
func Key(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:12])
}

func (s Store) path(key string) string {
	return filepath.Join(s.Dir, "sidecars", key)
}

// largest is what no sidecar reaches, bytes: a state holds a few hundred
// records.
const largest = 4 << 20

// Load returns the entry of key, or false if there is none that can be used.
// The caller checks with File.Same that it belongs to the files at hand.
func (s Store) Load(key string) (Entry, bool) {
	if s.Dir == "" {
		return Entry{}, false
	}
	data, err := files.Read(s.path(key), largest)
	if err != nil {
		return Entry{}, false
	}
	e, err := decode(data)
	return e, err == nil
}

// Save stores the entry. An error means that nothing changed; callers may
// ignore it.
func (s Store) Save(key string, e Entry) error {
	if s.Dir == "" {
		return nil
	}
	path := s.path(key)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("making the cache folder: %w", err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), key+".*.tmp") // mode 0600
	if err != nil {
		return fmt.Errorf("writing a sidecar: %w", err)
	}
	_, err = tmp.Write(encode(e))
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		os.Remove(tmp.Name())
		return fmt.Errorf("writing a sidecar: %w", err)
	}
	return nil
}
