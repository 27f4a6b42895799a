package doctor

import (
	"os"
	"path/filepath"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/install"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/config"
)

// checkProgram looks which ctxmeter this is, and which one the clients would
// find by its name.
func (d *doctor) checkProgram() {
	const check = "program"
	exe, err := d.Executable()
	if err != nil {
		d.problem(check, "where ctxmeter itself is cannot be found out: "+wording.Cause(err), "start it by its whole path")
		return
	}
	d.self = exe
	first := d.onPath()
	switch {
	case install.OnlyForOneRun(exe):
		d.note(check, "ctxmeter "+d.Version+", made by 'go run' for this run only", "build it with 'go install ./cmd/ctxmeter'")
	case first == "" && d.inAgent():
		d.note(check, "ctxmeter "+d.Version+" is "+exe+", and none is on the PATH of this shell", "the clients may have another PATH: see what 'ctxmeter doctor' says in your own terminal")
	case first == "":
		d.note(check, "ctxmeter "+d.Version+" is "+exe+", and none is on the PATH", "put its folder on the PATH, or go on with its whole path: 'install' writes that")
	case !paths.Same(first, exe):
		d.note(check, "ctxmeter "+d.Version+" is "+exe+", but by its name another one is found: "+first, "remove one of the two, or put the other folder first on the PATH")
	default:
		d.ok(check, "ctxmeter %s is %s, and the one on the PATH", d.Version, exe)
	}
}

// onPath is the ctxmeter that is found by its name, "" if none is. Relative
// folders are passed over: the clients run elsewhere.
func (d *doctor) onPath() string {
	name := "ctxmeter"
	if d.env.OS == "windows" {
		name += ".exe"
	}
	for _, dir := range filepath.SplitList(d.env.Getenv("PATH")) {
		path := filepath.Join(dir, name)
		if filepath.IsAbs(dir) && d.runs(path) {
			return path
		}
	}
	return ""
}

// runs reports whether there is a program at path.
func (d *doctor) runs(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (d.env.OS == "windows" || info.Mode().Perm()&0o111 != 0)
}

// checkConfiguration says whether the settings can be used.
func (d *doctor) checkConfiguration() {
	const check = "configuration"
	switch s := d.Settings; {
	case d.Unusable != nil:
		d.problem(check, d.Unusable.Message, "correct it; until then the commands fail, and the status line and this report go by the defaults")
	case s.Found:
		d.ok(check, "%s is valid", s.Path)
	default:
		d.ok(check, "there is no file, and none is needed")
	}
	for _, text := range config.UnknownVariables(d.Environ) {
		d.note(check, text, d.typed("config")+" prints the settings; that of a variable is its name with CTXMETER_ before it")
	}
}
