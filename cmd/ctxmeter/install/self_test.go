package install

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
	"github.com/ctxmeter/ctxmeter/meter"
)

func TestHowTheClientsStartCtxmeter(t *testing.T) {
	here, other := t.TempDir(), t.TempDir()
	exe := filepath.Join(here, "ctxmeter")
	for _, dir := range []string{here, other} {
		if err := os.WriteFile(filepath.Join(dir, "ctxmeter"), []byte("#!"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ path, want string }{
		{"", exe},
		{here, "ctxmeter"},
		{other + string(filepath.ListSeparator) + here, exe}, // another one comes first
		{here + string(filepath.ListSeparator) + other, "ctxmeter"},
		{".", exe},
	} {
		env := meter.Env{OS: "unix", Getenv: func(name string) string { return map[string]string{"PATH": tt.path}[name] }}
		i := installer{Options: Options{Selection: wiring.Selection{Env: env}, Executable: func() (string, error) { return exe, nil }}}
		got, err := i.findSelf()
		if err != nil || got.Program != tt.want || got.Shell != paths.Quoted(tt.want) || got.Cmd != paths.Quoted(tt.want) {
			t.Errorf("with %q: %+v, %v", tt.path, got, err)
		}
	}
}

func TestHowTheClientsStartCtxmeterOnWindows(t *testing.T) {
	short := func(path string) (string, error) {
		return strings.ReplaceAll(path, "Program Files", "PROGRA~1"), nil
	}
	none := func(string) (string, error) { return "", errors.New("no short names") }
	for _, tt := range []struct {
		exe        string
		short      func(string) (string, error)
		shell, cmd string // "" is refused
	}{
		{`C:\Users\jo\go\bin\ctxmeter.exe`, none, "C:/Users/jo/go/bin/ctxmeter.exe", `C:\Users\jo\go\bin\ctxmeter.exe`},
		{`C:\Program Files\ctxmeter\ctxmeter.exe`, short, "C:/PROGRA~1/ctxmeter/ctxmeter.exe", `C:\PROGRA~1\ctxmeter\ctxmeter.exe`},
		{`C:\Program Files\ctxmeter\ctxmeter.exe`, none, "", ""},
		{`C:\Users\jo & al\ctxmeter.exe`, short, "", ""},
	} {
		got, err := windowsSelf(tt.exe, tt.short)
		if (err != nil) != (tt.shell == "") || got.Shell != tt.shell || got.Cmd != tt.cmd {
			t.Errorf("%s: %+v, %v", tt.exe, got, err)
		}
		if err == nil && (got.Program != tt.exe || !wiring.Ours(got.Shell+" statusline", wiring.PartStatusLine) || !wiring.Ours(got.Cmd+" hook", wiring.PartHooks)) {
			t.Errorf("%s: %+v is not recognized", tt.exe, got)
		}
	}
}

// A shell is asked, as the client will ask it, with a path that needs quoting.
func TestTheCommandIsTried(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a script stands in for ctxmeter")
	}
	if _, err := exec.LookPath("/bin/sh"); err != nil {
		t.Skip("no shell")
	}
	dir := filepath.Join(t.TempDir(), "it's here $HOME")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(dir, "ctxmeter")
	for script, fine := range map[string]bool{
		"#!/bin/sh\necho ctxmeter v1 $#\n": true, "#!/bin/sh\necho something\n": false, "#!/bin/sh\nexit 3\n": false,
	} {
		if err := os.WriteFile(exe, []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		err := Try(context.Background(), wiring.Self{Program: exe, Shell: paths.Quoted(exe), Cmd: paths.Quoted(exe)}, "linux")
		if (err == nil) != fine {
			t.Errorf("%q: %v", script, err)
		}
	}
}

func TestWhatDoesNotWorkIsNotInstalled(t *testing.T) {
	home := t.TempDir()
	said := 0
	err := Run(t.Context(), Options{
		Selection: wiring.Selection{
			Env:     meter.Env{OS: "unix", Home: home, Getenv: func(string) string { return "" }},
			Parts:   wiring.Parts(),
			Clients: []string{wiring.ClientClaude}, Roots: []string{filepath.Join(home, ".claude")},
		},
		Install: true, Apply: true, State: filepath.Join(home, "state"), Now: time.Now, Try: Try,
		Executable: func() (string, error) { return filepath.Join(home, "bin", "ctxmeter"), nil }, // no program at all
		Print:      func(text string) { t.Errorf("it prints %s", text) },
		Line:       func(text string) { t.Errorf("it says %s", text) },
		Say:        func(string) { said++ },
	})
	if !errors.Is(err, ErrIncomplete) || said != 1 {
		t.Errorf("%v, said %d times", err, said)
	}
	if list, err := os.ReadDir(home); err != nil || len(list) > 0 {
		t.Errorf("%v is written, %v", list, err)
	}
}

func TestProgramsOfOneRun(t *testing.T) {
	for exe, want := range map[string]bool{
		"/tmp/go-build1234/b001/exe/ctxmeter":          true,
		"/home/x/.cache/go-build/3f/3fab12-d/ctxmeter": true,
		"/home/x/go-build/ctxmeter":                    false,
		"/opt/go-builds/bin/ctxmeter":                  false,
		"/home/x/go-build12/exe/ctxmeter":              false,
		"/exe/ctxmeter":                                false,
		"/home/x/.cache/go-build/3f/4fab12-d/ctxmeter": false,
		"/home/x/src/go-build-tools/b001/exe/ctxmeter": false,
		"/home/x/go-build1234/b001/exe/bin/ctxmeter":   false,
		"/a/go-build77/b123/exe/sub/../ctxmeter":       true,
	} {
		if got := OnlyForOneRun(filepath.FromSlash(exe)); got != want {
			t.Errorf("%s: %v", exe, got)
		}
	}
}
