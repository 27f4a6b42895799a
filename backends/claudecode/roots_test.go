package claudecode

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
)

func rootDirs(c *Client) (out []string) {
	for _, r := range c.roots() {
		out = append(out, filepath.Base(r.dir))
	}
	return out
}

func TestRoots(t *testing.T) {
	sep := string(os.PathListSeparator)
	tests := []struct {
		name    string
		flags   []string
		config  string // CLAUDE_CONFIG_DIR; ~ is the home folder
		noHome  bool
		windows bool
		want    []string
	}{
		{name: "home", want: []string{".claude"}},
		{name: "no home", noHome: true},
		{name: "the variable replaces home", config: "~/one", want: []string{"one"}},
		{name: "flags come first", flags: []string{"~/two"}, want: []string{"two", ".claude"}},
		{name: "a list", config: "~/one" + sep + "~/two", want: []string{"one", "two"}},
		{name: "commas", config: "~/one,~/two, ~/with, comma", want: []string{"one", "two"}},
		{name: "a folder with a separator in its name", config: "~/with, comma", want: []string{"with, comma"}},
		{name: "semicolons on windows", config: "~/one;~/two", windows: true, want: []string{"one", "two"}},
		{name: "twice the same", flags: []string{"~/one", "~/one/", "one"}, config: "~/one", want: []string{"one"}},
		{name: "missing ones are left out", config: "~/none,~/two", want: []string{"two"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t)
			for _, dir := range []string{".claude", "one", "two", "with, comma"} {
				p.write(dir+"/settings.json", "{}")
			}
			p.dirs = tt.flags
			p.env["CLAUDE_CONFIG_DIR"] = tt.config
			if tt.windows {
				p.os = "windows"
			}
			c := p.client()
			if tt.noHome {
				c.env.Home = ""
			}
			got := rootDirs(c)
			if len(got) != len(tt.want) {
				t.Fatalf("roots %q, want %q", got, tt.want)
			}
			for i := range got {
				if got[i] != tt.want[i] {
					t.Errorf("roots %q, want %q", got, tt.want)
				}
			}
		})
	}
}

func TestRootsThatAreLinksCountOnce(t *testing.T) {
	p := newPlace(t)
	p.write("disk/claude/settings.json", "{}")
	p.link(filepath.Join(p.home, "disk", "claude"), ".claude")
	p.dirs = []string{filepath.Join(p.home, "disk", "claude"), p.root()}
	if got := p.client().roots(); len(got) != 1 {
		t.Errorf("roots = %v", got)
	}
}

// Report J03: servers are started with a nearly empty environment.
func TestEmptyEnvironmentFindsNothingAndDoesNotCrash(t *testing.T) {
	c := New(meter.Env{})
	if got, err := c.Find(idA); got != nil || err != nil {
		t.Errorf("Find = %v, %v", got, err)
	}
	if got, err := c.Here(""); got != nil || err != nil {
		t.Errorf("Here = %v, %v", got, err)
	}
	if c.Name() != "claude-code" {
		t.Errorf("Name = %q", c.Name())
	}
	if id := c.Current(); id != "" {
		t.Errorf("Current = %q", id)
	}
	if l := c.Limits(meter.Session{}, meter.State{}); len(l.Windows) != 0 || l.Trigger(meter.Claim{}).Mode != meter.ModeUnknown {
		t.Errorf("Limits = %+v", l)
	}
}

func TestCurrentIsWhatTheEnvironmentNames(t *testing.T) {
	p := newPlace(t)
	p.env["CLAUDE_CODE_SESSION_ID"] = idA
	if got := p.client().Current(); got != idA {
		t.Errorf("Current = %q", got)
	}
}
