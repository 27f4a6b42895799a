package claudecode

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
)

func TestReadLimit(t *testing.T) {
	const name = "CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS"
	for _, tt := range []struct {
		title, setting, env, version string
		tokens, page                 int64
	}{
		{"by default", "", "", "2.1.197", 25_000, 21_250},
		{"of an unknown version", "", "", "", 25_000, 21_250},
		{"of a version that refuses", "", "", "2.1.107", 25_000, 0},
		{"of an old version", "", "9000", "1.0.98", 9000, 0},
		{"from the environment", "", "5000", "2.1.197", 5000, 4250},
		{"from the settings, which are stronger", `"5000"`, "3000", "2.1.197", 5000, 4250},
		{"from a number in the settings", `5000`, "", "2.1.197", 5000, 4250},
		{"from no number", "", "many", "2.1.197", 25_000, 21_250},
		{"from zero", "", "0", "2.1.197", 25_000, 21_250},
		{"from less", "", "-5", "2.1.197", 25_000, 21_250},
	} {
		t.Run(tt.title, func(t *testing.T) {
			root := t.TempDir()
			if tt.setting != "" {
				text := `{"env":{"` + name + `":` + tt.setting + `}}`
				if err := os.WriteFile(filepath.Join(root, "settings.json"), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			c := New(meter.Env{Getenv: func(n string) string {
				if n == name {
					return tt.env
				}
				return ""
			}})
			l := c.ReadLimit(meter.Session{Root: root}, meter.State{Version: tt.version})
			if old := tt.version == "1.0.98"; (l.Frame != "") != old || l.Padded != old {
				t.Errorf("a frame of %d bytes, wide %v", len(l.Frame), l.Padded)
			}
			if l.Tokens != tt.tokens || l.Page != tt.page || l.Bytes != 262_144 || !l.Numbered {
				t.Errorf("%d tokens, then %d; %d bytes", l.Tokens, l.Page, l.Bytes)
			}
		})
	}
}
