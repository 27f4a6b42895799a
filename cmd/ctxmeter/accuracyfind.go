package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/files"
)

// listed is a transcript that is meant. err tells why it cannot be used.
type listed struct {
	found
	name  string // as it was given, or else the session's id
	err   error
	maybe bool // nobody said that it is a transcript: clients keep other files that end so
}

// transcripts are those that the arguments name, or else the newest.
func (p *program) transcripts(ctx context.Context, cmd *cli.Command, s *config.Settings) ([]listed, error) {
	f, err := p.finder(s)
	if err != nil {
		return nil, err
	}
	most, err := count(cmd, "last", accuracyLast, 1)
	if err != nil {
		return nil, err
	}
	since, err := sinceWhen(cmd.String("since"), p.now())
	if err != nil {
		return nil, err
	}
	if args := cmd.Args().Slice(); len(args) > 0 {
		if cmd.IsSet("last") || cmd.IsSet("since") {
			return nil, badArgument("--last and --since choose among all transcripts: leave them out where you name some")
		}
		return f.named(ctx, args)
	}
	if cmd.IsSet("since") && !cmd.IsSet("last") {
		most = 0
	}
	return f.recent(most, since), nil
}

// recent lists the newest transcripts of all clients.
func (f *finder) recent(most int, since time.Time) []listed {
	var out []listed
	for _, c := range f.clients {
		for _, l := range c.Recent(most, since) {
			name := l.Session.ID
			if l.Session.AgentID != "" {
				name = l.Session.AgentID
			}
			out = append(out, listed{found: found{c, l.Session, meter.IdentityExplicit}, name: name, err: l.Err})
		}
	}
	slices.SortStableFunc(out, func(a, b listed) int { return b.session.Modified.Compare(a.session.Modified) })
	if most > 0 {
		out = out[:min(len(out), most)]
	}
	return out
}

// named lists what arguments name: files, folders, and ids of sessions. A file
// that was named twice counts once.
func (f *finder) named(ctx context.Context, args []string) ([]listed, error) {
	var out []listed
	for _, arg := range args {
		path := paths.Under(f.wd, arg)
		_, err := os.Stat(path)
		switch {
		case err == nil && files.IsDir(path):
			below := f.below(ctx, path, arg)
			if len(below) == 0 {
				return nil, &meter.Fault{Code: meter.CodeSessionNotFound, Message: fmt.Sprintf("there is no transcript in the folder %q", arg)}
			}
			out = append(out, below...)
		case err == nil || !looksLikeID(arg):
			hit, err := f.byFile(arg, "the argument")
			out = append(out, listed{found: hit, name: arg, err: err})
		default:
			hits, err := f.search(arg)
			switch {
			case len(hits) > 1:
				return nil, ambiguous(hits, fmt.Sprintf("several sessions fit %q: give more of the id, or --backend, or the transcript's path", arg))
			case len(hits) == 1:
				err = nil
			case err == nil:
				err = &meter.Fault{Code: meter.CodeSessionNotFound, Message: fmt.Sprintf("there is no session and no file %q: check it; %s", arg, f.elsewhere())}
			}
			l := listed{name: arg, err: err}
			if err == nil {
				l.found = hits[0]
			}
			out = append(out, l)
		}
	}
	return once(out), nil
}

// below lists the transcripts below a folder, in the order of their paths. Of
// several files that hold one session, such as the old files of a thread that
// was rewound, the newest counts.
func (f *finder) below(ctx context.Context, dir, typed string) []listed {
	var out []listed
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".jsonl") && !strings.HasSuffix(path, ".jsonl.zst") {
			return nil // an unreadable folder hides no other
		}
		name := filepath.Join(typed, strings.TrimPrefix(path, dir))
		hit, err := f.byFile(path, "the folder")
		out = append(out, listed{found: hit, name: name, err: err, maybe: !looksLikeTranscript(path)})
		return nil
	})
	newest := map[string]time.Time{} // by session
	for _, l := range out {
		if key := l.key(); l.err == nil && l.session.Modified.After(newest[key]) {
			newest[key] = l.session.Modified
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(out, func(l listed) bool {
		if l.err != nil {
			return false
		}
		again := seen[l.key()] || l.session.Modified.Before(newest[l.key()])
		seen[l.key()] = seen[l.key()] || !again
		return again
	})
}

// looksLikeTranscript tells by its name a file that ought to be a transcript.
func looksLikeTranscript(path string) bool {
	name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".zst"), ".jsonl")
	return strings.HasPrefix(name, "agent-") || strings.HasPrefix(name, "rollout-") || len(name) == 36 && looksLikeID(name)
}

func (l *listed) key() string {
	return l.session.Backend + "/" + l.session.ID + "/" + l.session.AgentID
}

// once leaves out files that were named before.
func once(list []listed) []listed {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(l listed) bool {
		if l.err != nil {
			return false
		}
		path := l.session.Segments[len(l.session.Segments)-1].Path
		again := seen[path]
		seen[path] = true
		return again
	})
}

// sinceWhen reads a time: a date, or how long ago; "" is ever.
func sinceWhen(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly, "2006-01-02T15:04", time.DateTime} {
		if at, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return at, nil
		}
	}
	for unit, days := range map[string]float64{"d": 1, "w": 7} {
		number, ok := strings.CutSuffix(text, unit)
		if n, err := strconv.ParseFloat(number, 64); ok && err == nil && n >= 0 && n < 1e5 {
			return now.Add(-time.Duration(n * days * 24 * float64(time.Hour))), nil
		}
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	return time.Time{}, badArgument("--since wants how long ago, such as 7d or 12h, or a date such as 2026-11-30, not %q", text)
}
