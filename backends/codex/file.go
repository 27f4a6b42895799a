package codex

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/ctxmeter/ctxmeter/meter"
)

// File implements backends.Client. The path may be anywhere and have any
// name; it need not be the file that its thread goes on in. A rollout that
// was compressed or restored since the path was written down is found under
// its other name: the client's own database names the plain file always.
func (c *Client) File(path string) (meter.Session, error) {
	path = c.abs(path)
	if _, err := os.Stat(path); err != nil {
		other, packed := strings.CutSuffix(path, ".zst")
		if !packed {
			other = path + ".zst"
		}
		if _, err := os.Stat(other); err == nil {
			path = other
		}
	}
	f := file{path: path}
	f.name, _ = parseName(filepath.Base(path))
	r := newHeadReader()
	hd, at, err := readHead(r, f)
	if err != nil {
		return meter.Session{}, err
	}
	return c.assemble(homeOf(path), f, r, hd, at)
}
