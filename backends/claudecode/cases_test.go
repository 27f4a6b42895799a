package claudecode

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/transcript"
)

// caseClient sees the configuration folder of one report.
func caseClient(t *testing.T, name string) *Client {
	t.Helper()
	p := newPlace(t)
	dir, err := filepath.Abs(filepath.Join("..", "..", "testdata", "cases", name, "claude"))
	if err != nil {
		t.Fatal(err)
	}
	p.dirs = []string{dir}
	return p.client()
}

// Public reports, each with a transcript: whose session, what window, what
// trigger, and why.
func TestReportedSessions(t *testing.T) {
	for _, tt := range []struct {
		name, id, env   string
		folder          string // the file lies in
		window          int64
		source          meter.Source
		mode            meter.Mode
		trigger         int64
		from            meter.Source
		parent          string
		used, usedInPer float64 // of the client's view
	}{
		{name: "A05", id: "91ee067e-c3f6-5c68-82df-4dbab64a61ca", window: 200_000, source: "assumed", mode: "auto", trigger: 167_000, from: "assumed", used: 33_434, usedInPer: 17},
		{name: "A20", id: "c44beeee-1bed-5f2d-a3ae-2c0ecc4abd70", window: 200_000, source: "assumed", mode: "auto", trigger: 167_000, from: "assumed", used: 82_440, usedInPer: 41},
		{name: "A20", id: "a7f31c0", folder: "subagents", window: 200_000, source: "assumed", mode: "auto", trigger: 167_000, from: "assumed", parent: "c44beeee-1bed-5f2d-a3ae-2c0ecc4abd70", used: 9_003, usedInPer: 5},
		{name: "A29", id: "79366a56-70ee-5b05-816b-b9f90333ff37", mode: "unknown", used: 17_800, usedInPer: -1},
		{name: "B01", id: "816c075f-06ba-50cd-a2a2-7adb390d1285", window: 1_000_000, source: "settings", mode: "auto", trigger: 967_000, from: "assumed", used: 154_300, usedInPer: 15},
		{name: "B17", id: "7276e317-28c7-5837-a07a-61fd468d4836", window: 200_000, source: "assumed", mode: "auto", trigger: 167_000, from: "assumed", used: 151_400, usedInPer: 76},
		{name: "C13", id: "7c9fc710-59d2-5164-a6ea-24ea676e4866", window: 1_000_000, source: "settings", mode: "auto", trigger: 167_000, from: "settings.autoCompactWindow", used: 70_000, usedInPer: 7},
		{name: "C13", id: "7c9fc710-59d2-5164-a6ea-24ea676e4866", env: "DISABLE_AUTO_COMPACT", window: 1_000_000, source: "settings", mode: "off", from: "env.DISABLE_AUTO_COMPACT", used: 70_000, usedInPer: 7},
		{name: "D06", id: "41faa580-debf-5c51-b3f2-98f8c5daef9d", folder: "-home-dev-shop-wt", window: 200_000, source: "assumed", mode: "auto", trigger: 167_000, from: "assumed", used: 63_004, usedInPer: 32},
	} {
		t.Run(tt.name+" "+tt.id[:7]+tt.env, func(t *testing.T) {
			c := caseClient(t, tt.name)
			if tt.env != "" {
				c.env.Getenv = func(name string) string {
					if name == tt.env {
						return "1"
					}
					return ""
				}
			}
			found, err := c.Find(tt.id)
			if err != nil || len(found) != 1 {
				t.Fatalf("Find = %q, %v", names(found), err)
			}
			s := found[0]
			if folder := filepath.Base(filepath.Dir(fileOf(s))); tt.folder != "" && folder != tt.folder {
				t.Errorf("found in %s", folder)
			}
			if s.ParentID != tt.parent {
				t.Errorf("parent %q", s.ParentID)
			}
			state, err := transcript.Load(s, c.Decoder(s), transcript.Options{})
			if err != nil {
				t.Fatal(err)
			}
			limits := c.Limits(s, state)
			best, disproved := limits.Window(state.Largest)
			if best.Tokens != tt.window || best.Source != tt.source || disproved.Tokens > 0 {
				t.Errorf("window %+v, disproved %+v", best, disproved)
			}
			if got := limits.Trigger(best); got != (meter.Trigger{Mode: tt.mode, Tokens: tt.trigger, Source: tt.from}) {
				t.Errorf("trigger %+v", got)
			}
			v := c.View(state, best.Tokens)
			if v.UsedTokens == nil || float64(*v.UsedTokens) != tt.used {
				t.Errorf("used %v, want %v", v.UsedTokens, tt.used)
			}
			if v.UsedPercent == nil != (tt.usedInPer < 0) || v.UsedPercent != nil && *v.UsedPercent != tt.usedInPer {
				t.Errorf("percent %v, want %v", v.UsedPercent, tt.usedInPer)
			}
		})
	}
}

// B01 again, without the setting that tells.
func TestReportedWindowWithoutSettings(t *testing.T) {
	p := newPlace(t)
	const name = "projects/-home-dev-shop/816c075f-06ba-50cd-a2a2-7adb390d1285.jsonl"
	b, err := os.ReadFile(filepath.Join("..", "..", "testdata", "cases", "B01", "claude", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	p.write(".claude/"+name, string(b))
	c := p.client()
	found, err := c.Find("816c075f")
	if err != nil || len(found) != 1 {
		t.Fatalf("Find = %q, %v", names(found), err)
	}
	if got := claims(c.Limits(found[0], meter.State{Model: "claude-sonnet-4-6", Largest: 154_300}).Windows); got != "200000 assumed" {
		t.Errorf("windows %q", got)
	}
}

// D02 and E01: which sessions a folder has, and which of them may be meant.
func TestReportedFolders(t *testing.T) {
	for _, tt := range []struct{ name, dir, want string }{
		{"D02", "/home/dev/shop", "16903b97-4a04-5e32-8298-3f5f2a8dc3f7"},
		{"E01", "/home/dev/projects/외주/app", "11a85467-c3e7-5066-ad80-e8d56a694fee"},
		{"E01", "/home/dev/projects/개인/app", "a4524559-96b3-5bfa-abd9-e08d27990801"},
		{"E01", "/home/dev/projects", ""},
	} {
		all, err := caseClient(t, tt.name).Here(tt.dir)
		if err != nil {
			t.Fatal(err)
		}
		var maybe []string
		for _, s := range all {
			if s.Live != meter.LiveNo {
				maybe = append(maybe, s.ID)
			}
		}
		if got := strings.Join(maybe, " "); got != tt.want {
			t.Errorf("%s: %s may be meant, want %s", tt.name, got, tt.want)
		}
		if len(all) > 0 && all[0].ID != tt.want {
			t.Errorf("%s: the newest is %s", tt.name, all[0].ID)
		}
	}
}
