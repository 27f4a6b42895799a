package doctor

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ctxmeter/ctxmeter/backends/claudecode"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

const (
	// newestFolders is in how many folders the newest transcript is looked for:
	// those that a file was last added to.
	newestFolders = 20
	// unheard is after how long a client without new transcripts is worth a note.
	unheard = 30 * 24 * time.Hour
	// settling is how long a client may run before its session is expected to
	// have a transcript: there is none before the first prompt.
	settling = 10 * time.Minute
	// headOrTail is how much of a transcript is read for the client's version,
	// bytes. The first record of a rollout holds the instructions too.
	headOrTail = 1 << 20
)

func (d *doctor) checkClaude() {
	const check = wiring.ClientClaude
	if !d.Selection.Found(wiring.ClientClaude) {
		d.ok(check, "not found")
		return
	}
	roots := d.Selection.Roots
	if len(roots) == 0 {
		d.note(check, "the program is there, its folder is not", "start Claude Code once, or name its folder with --claude-dir or CLAUDE_CONFIG_DIR")
	}
	env := d.env
	client := claudecode.New(env)
	for _, root := range roots {
		newest := newestIn(filepath.Join(root, "projects"), ".jsonl")
		processes := client.Registry(root)
		version := ""
		if len(processes) > 0 {
			version = slices.MaxFunc(processes, func(a, b claudecode.Process) int { return a.Started.Compare(b.Started) }).Version
		}
		if version == "" {
			version = lastVersion(newest.path)
		}
		d.ok(check, "%s%s", root, versionWords(version))
		d.written(check, root, newest, "with --no-session-persistence, or "+historyVar+"=1, Claude Code writes none")
		for _, p := range processes {
			d.live(client, p)
		}
	}
}

// live looks whether the session of a running client has a transcript.
func (d *doctor) live(client *claudecode.Client, p claudecode.Process) {
	here := p.Alive == meter.LiveYes && p.Dir != "" && (p.Dir == d.dir || paths.Same(p.Dir, d.dir))
	old := d.Now().Sub(p.Started)
	if p.Alive == meter.LiveNo || !here && old < settling {
		return
	}
	if sessions, err := client.Find(p.SessionID); err != nil || len(sessions) > 0 {
		return
	}
	text := fmt.Sprintf("a Claude Code (process %d) runs here and has no transcript", p.PID)
	if !here {
		text = fmt.Sprintf("a Claude Code (process %d), started %s ago, has no transcript", p.PID, wording.Age(old.Seconds()))
	}
	d.note("transcripts", text, "before its first prompt that is as it should be; later, it was started with --no-session-persistence, "+historyVar+"=1 or another CLAUDE_CONFIG_DIR")
}

func (d *doctor) checkCodex() {
	const check = wiring.ClientCodex
	if !d.Selection.Found(wiring.ClientCodex) {
		d.ok(check, "not found")
		return
	}
	homes := d.Selection.Homes
	if len(homes) == 0 {
		d.note(check, "the program is there, its home is not", "start Codex once, or name its home with --codex-home or CODEX_HOME")
	}
	for _, home := range homes {
		newest := newestRollout(filepath.Join(home, "sessions"))
		d.clients[home] = firstVersion(newest.path)
		d.ok(check, "%s%s", home, versionWords(d.clients[home]))
		d.written(check, home, newest, "'codex exec --ephemeral' writes none")
	}
}

// checkClients says that there is nothing to wire up.
func (d *doctor) checkClients() {
	if !d.Selection.Found(wiring.ClientClaude) && !d.Selection.Found(wiring.ClientCodex) {
		d.note("clients", "neither Claude Code nor Codex was found: there is nothing to measure yet", "start one of them once; if one has its folder elsewhere, name that with --claude-dir or --codex-home; "+d.typed("demo")+" shows a sample until then")
	}
}

// folders are those of the lists that exist, each once.
func (d *doctor) folders(lists ...[]string) (out []string) {
	for _, dir := range slices.Concat(lists...) {
		dir = paths.Under(d.env.Dir, dir)
		if files.IsDir(dir) && !slices.ContainsFunc(out, func(o string) bool { return o == dir || paths.Same(o, dir) }) {
			out = append(out, dir)
		}
	}
	return out
}

func versionWords(version string) string {
	if version == "" {
		return "" // nobody has written it down yet
	}
	return ", last used by version " + wording.Name(version)
}

// written says how old the newest transcript is.
func (d *doctor) written(client, dir string, newest transcriptFile, why string) {
	const check = "transcripts"
	if newest.path == "" {
		d.note(check, client+" has written none in "+dir, "start a session there; "+why)
		return
	}
	old := max(d.Now().Sub(newest.at), 0)
	text := fmt.Sprintf("%s last wrote one %s ago", client, wording.Age(old.Seconds()))
	if old > unheard {
		d.note(check, text, "if you have used it since, it writes elsewhere, or not at all; "+why)
		return
	}
	d.ok(check, "%s", text)
}

type transcriptFile struct {
	path string
	at   time.Time
}

// newestIn is the newest file with this end of its name in the folders below
// dir that changed last; subfolders of these are not looked at.
func newestIn(dir, ext string) (newest transcriptFile) {
	list, err := files.List(dir)
	if err != nil {
		return newest
	}
	var folders []transcriptFile
	for _, e := range list {
		if info, err := os.Stat(filepath.Join(dir, e.Name())); err == nil && info.IsDir() {
			folders = append(folders, transcriptFile{filepath.Join(dir, e.Name()), info.ModTime()})
		}
	}
	slices.SortFunc(folders, func(a, b transcriptFile) int { return b.at.Compare(a.at) })
	for _, f := range folders[:min(len(folders), newestFolders)] {
		newest = newestOf(f.path, ext, newest)
	}
	return newest
}

func newestOf(dir, ext string, newest transcriptFile) transcriptFile {
	list, err := files.List(dir)
	if err != nil {
		return newest
	}
	for _, e := range list {
		if !e.Type().IsRegular() || !strings.HasSuffix(e.Name(), ext) {
			continue
		}
		if info, err := e.Info(); err == nil && info.ModTime().After(newest.at) {
			newest = transcriptFile{filepath.Join(dir, e.Name()), info.ModTime()}
		}
	}
	return newest
}

// newestRollout is the newest file of the newest day folders, and of those that
// lie in none.
func newestRollout(sessions string) (newest transcriptFile) {
	newest = newestOf(sessions, ".jsonl", newest)
	days := 0
	for _, y := range numbered(sessions) {
		for _, m := range numbered(y) {
			for _, day := range numbered(m) {
				newest = newestOf(day, ".jsonl", newest)
				if days++; days == 3 {
					return newest
				}
			}
		}
	}
	return newest
}

// numbered are the folders whose names are numbers, highest first.
func numbered(dir string) (out []string) {
	names, _ := files.Names(dir)
	for _, n := range names {
		if n != "" && strings.Trim(n, "0123456789") == "" {
			out = append(out, filepath.Join(dir, n))
		}
	}
	slices.Sort(out)
	slices.Reverse(out)
	return out
}

// lastVersion is the version of Claude Code that wrote the last records of a
// transcript.
func lastVersion(path string) (version string) {
	f, size, err := files.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	tail, err := io.ReadAll(io.NewSectionReader(f, max(size-headOrTail, 0), headOrTail))
	if err != nil {
		return ""
	}
	for line := range bytes.Lines(tail) {
		var record struct {
			Version string `json:"version"`
		}
		if json.Unmarshal(line, &record) == nil && record.Version != "" {
			version = record.Version
		}
	}
	return plainVersion(version)
}

// firstVersion is the version of Codex in the first record of a rollout.
func firstVersion(path string) string {
	f, _, err := files.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	line, err := bufio.NewReader(io.LimitReader(f, headOrTail)).ReadBytes('\n')
	var record struct {
		Payload struct {
			Version string `json:"cli_version"`
		} `json:"payload"`
	}
	if err != nil || json.Unmarshal(line, &record) != nil {
		return ""
	}
	return plainVersion(record.Payload.Version)
}

// plainVersion is a version that looks like one: anything else could be
// anything.
func plainVersion(text string) string {
	if len(text) > 40 || strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-+") != "" {
		return ""
	}
	return text
}
