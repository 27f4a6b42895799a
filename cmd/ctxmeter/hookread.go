package main

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// ahead is a read that a tool is about to do. Its zero value is none that
// matters.
type ahead struct {
	reading *meter.Reading
	path    string // without links
	name    string // as the agent calls it
	tokens  int64  // that it adds; 0 if so few that they were not counted
	others  int64  // tokens that the reads under way add
	crosses string // crossesTrigger, crossesWindow
	room    int64  // tokens up to there
	part    part   // that fits, if any does
	paged   bool   // the tool takes a line and a number of lines
}

// What a read may cross.
const (
	crossesTrigger = "trigger"
	crossesWindow  = "window"
)

// part is a range of lines.
type part struct {
	first, lines int64
	tokens       int64
}

// ahead sizes the read that the payload tells of, where those under way add so
// many tokens. A read that the tool refuses adds nothing.
func (h *hooking) ahead(r *meter.Reading, others int64) (ahead, error) {
	room, ok := roomLeft(r)
	if !ok {
		return ahead{}, nil
	}
	path := at(h.said.Dir, h.said.Read.Path, h.home())
	if !paths.Rooted(path) || elsewhere(path) {
		return ahead{}, nil
	}
	path, err := filepath.EvalSymlinks(path)
	if err != nil || elsewhere(path) || systems(path) {
		return ahead{}, err
	}
	f, size, err := files.Open(path)
	if err != nil {
		return ahead{}, err
	}
	defer f.Close()
	if size*mostPerByte+mostFrame < room-others {
		return ahead{}, nil // nothing needs to be counted, nor to be remembered
	}
	z, err := h.sizing(r)
	if err != nil {
		return ahead{}, err
	}
	from, to, err := linesOf(f, size, h.said.Read)
	if err != nil || from == 0 && to == size && z.limit.Bytes > 0 && size > z.limit.Bytes {
		return ahead{}, err
	}
	got, err := z.part(f, size, from, to)
	if err != nil || got.cut.How == meter.CutRefused {
		return ahead{}, err
	}
	tokens := z.est.Tokens(z.model, got.text).Tokens
	a := ahead{reading: r, path: path, name: quotedName(h.said.Read.Path), tokens: int64(tokens), others: others, paged: z.limit.Numbered}
	if a.crosses, a.room = crossing(r, a.tokens+others), room; a.crosses == "" {
		return a, nil
	}
	a.part, err = z.fitting(io.NewSectionReader(f, from, to-from), max(h.said.Read.First, 1), a.room-others, float64(got.text.Tool.Newlines+1)/max(tokens, 1))
	return a, err
}

// A byte is one token at most, and an empty line another few with its number;
// with the tool's own words it is no more than that.
const (
	mostPerByte = 6
	mostFrame   = 1000
)

// roomLeft is how many tokens may be added before anything is crossed. A trigger
// that is reached is crossed already, and compaction comes next in any case;
// the window can still be too small for what is read before it.
func roomLeft(r *meter.Reading) (int64, bool) {
	switch c, w := triggerLeft(r), r.RemainingTokens; {
	case c > 0 && w != nil:
		return min(c, *w), true
	case c > 0:
		return c, true
	case w != nil:
		return *w, true
	}
	return 0, false
}

// triggerLeft is how many tokens there are up to the trigger, 0 if that is
// reached or not known.
func triggerLeft(r *meter.Reading) int64 {
	if c := r.Compaction.RemainingTokens; c != nil {
		return *c
	}
	return 0
}

// crossing is what so many more tokens would cross.
func crossing(r *meter.Reading, tokens int64) string {
	if w := r.RemainingTokens; w != nil && tokens > *w {
		return crossesWindow
	}
	if c := triggerLeft(r); c > 0 && tokens >= c {
		return crossesTrigger
	}
	return ""
}

// sizing is what the size of a read depends on.
func (h *hooking) sizing(r *meter.Reading) (sizing, error) {
	state, err := h.load(h.hit, h.settings)
	if err != nil {
		return sizing{}, err
	}
	in := meter.Input{Session: h.hit.session, State: state}
	_, est := h.fit(h.hit.session)
	z := h.newSizing(in, r, est, h.hit.client.ReadLimit(h.hit.session, state))
	z.most = min(z.most, mostHurried)
	return z, nil
}

// How much of a file is looked at while the client waits, in bytes.
const (
	mostHurried = 512 << 10 // to be counted
	farthest    = 16 << 20  // to find a line
)

var errFar = errors.New("the lines lie farther in the file than is looked at")

// linesOf is where the lines of a read begin and end, in bytes.
func linesOf(f io.ReaderAt, size int64, read meter.PlannedPart) (from, to int64, err error) {
	if read.First > 1 {
		if from, err = skipLines(f, 0, size, read.First-1); err != nil {
			return 0, 0, err
		}
	}
	if to = size; read.Lines > 0 {
		to, err = skipLines(f, from, size, read.Lines)
	}
	return from, to, err
}

// skipLines is where n lines from an offset on end, or the file.
func skipLines(f io.ReaderAt, from, size, n int64) (int64, error) {
	buf := make([]byte, 64<<10)
	for at := from; at < size; {
		if at > farthest {
			return 0, errFar
		}
		got, err := f.ReadAt(buf, at)
		for i := 0; i < got; {
			end := bytes.IndexByte(buf[i:got], '\n')
			if end < 0 {
				break
			}
			i += end + 1
			if n--; n == 0 {
				return at + int64(i), nil
			}
		}
		if at += int64(got); err != nil && err != io.EOF {
			return 0, err
		}
		if got == 0 {
			break
		}
	}
	return size, nil
}

// part sizes the read of a part of a file; of a part, the tool shows all or
// nothing (Claude Code 2.1.197, observed).
func (z *sizing) part(f io.ReaderAt, size, from, to int64) (piece, error) {
	if from == 0 && to == size {
		return z.file(f, size, z.most)
	}
	p := *z
	p.limit.Bytes, p.limit.Page = 0, 0
	return p.file(io.NewSectionReader(f, from, to-from), to-from, z.most)
}

const (
	// shareFitting is how much of the room a smaller read is to take: the
	// reply to it needs some too, and sizes are estimates.
	shareFitting = 0.7
	leastFitting = 500 // tokens; less is not worth a read
)

// fitting is the range of lines, from the first on, that fits well; of so many
// lines a token is taken to be.
func (z *sizing) fitting(f *io.SectionReader, first, room int64, density float64) (part, error) {
	budget := float64(room) * shareFitting
	if z.limit.Tokens > 0 {
		budget = min(budget, float64(z.limit.Tokens)*shareFitting)
	}
	if budget < leastFitting {
		return part{}, nil
	}
	n := int64(budget * density)
	for range mostPages {
		if n < 1 {
			break // one line is too much
		}
		text, err := z.countFrom(&firstLines{r: io.NewSectionReader(f, 0, min(f.Size(), z.most)), left: n})
		if err != nil {
			return part{}, err
		}
		tokens := z.est.Tokens(z.model, toolResult(z.framed(z.numbered(text), z.limit.Frame))).Tokens
		if tokens <= budget {
			return part{first, text.Newlines + 1, int64(tokens)}, nil
		}
		n = min(text.Newlines, int64(float64(text.Newlines+1)*budget/tokens))
	}
	return part{}, nil
}

// longestQuoted is how much of a file's name is shown, in characters.
const longestQuoted = 40

// quotedName is the name of a file, without its folders, for a text that a model
// reads: a name may be made to be taken for more than one.
func quotedName(path string) string {
	text := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case wording.Hostile(r), r == utf8.RuneError:
			return -1
		case r == '"':
			return '\''
		}
		return r
	}, filepath.Base(path))
	runes := []rune(strings.TrimSpace(text))
	if len(runes) > longestQuoted {
		runes = append(runes[:longestQuoted-1], '…')
	}
	return `"` + string(runes) + `"`
}

// key stands for the file in what is remembered.
func (a ahead) key() string {
	h := fnv.New64a()
	_, _ = io.WriteString(h, a.path)
	return fmt.Sprintf("%016x", h.Sum64())
}

// warned reports that it was said of this file already that its read would
// cross as much.
func (m *hookMemory) warned(a ahead) bool {
	said, ok := m.Reads[a.key()]
	return ok && (said == a.crosses || said == crossesWindow)
}

func (m *hookMemory) warn(a ahead) {
	if m.Reads == nil || len(m.Reads) >= mostReads {
		m.Reads = map[string]string{}
	}
	m.Reads[a.key()] = a.crosses
}
