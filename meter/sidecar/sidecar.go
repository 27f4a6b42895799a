package sidecar

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"

	"github.com/ctxmeter/ctxmeter/meter"
)

// Version changes whenever the meaning of a stored state changes.
const Version = 1

// Entry is the content of a sidecar.
type Entry struct {
	Files []File       `json:"files"`          // the segments of the transcript, oldest first
	State meter.State  `json:"state"`          // the scan that answers
	Past  *meter.State `json:"past,omitempty"` // the scan of what lies before State.From, while it is not complete
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
	return filepath.Join(s.Dir, "sidecars", key+".json")
}

// The file is one line of JSON, a line feed, and a line with the version and
// the CRC-32C of the first line, in hexadecimal.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func trailer(body []byte) string {
	return fmt.Sprintf("v%d %08x\n", Version, crc32.Checksum(body, castagnoli))
}

// Load returns the entry of key, or false if there is none that can be used.
// The caller checks with File.Same that it belongs to the files at hand.
func (s Store) Load(key string) (Entry, bool) {
	var e Entry
	if s.Dir == "" {
		return e, false
	}
	data, err := os.ReadFile(s.path(key))
	if err != nil {
		return e, false
	}
	body, tail, ok := bytes.Cut(data, []byte{'\n'})
	if !ok || string(tail) != trailer(body) {
		return e, false
	}
	if json.Unmarshal(body, &e) != nil {
		return Entry{}, false
	}
	return e, true
}

// Save stores the entry. An error means that nothing changed; callers may
// ignore it.
func (s Store) Save(key string, e Entry) error {
	if s.Dir == "" {
		return nil
	}
	body, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("encoding a sidecar: %w", err)
	}
	path := s.path(key)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("making the cache folder: %w", err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), key+".*.tmp") // mode 0600
	if err != nil {
		return fmt.Errorf("writing a sidecar: %w", err)
	}
	_, err = tmp.Write(append(append(body, '\n'), trailer(body)...))
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
