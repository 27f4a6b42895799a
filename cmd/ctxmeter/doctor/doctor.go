package doctor

import (
	"context"
	"time"

	"github.com/ctxmeter/ctxmeter/backends"
	"github.com/ctxmeter/ctxmeter/calibrate"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/paths"
	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wiring"
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
)

// Options is what the doctor depends on.
type Options struct {
	Selection wiring.Selection // the folders of the clients, whether they are there or not
	Settings  *config.Settings
	Unusable  *meter.Fault // why the configuration cannot be used, nil if it can
	Clean     bool         // remove what is left over
	Version   string       // of this ctxmeter
	Managed   []string     // an administrator's settings of Claude Code
	Environ   []string     // as os.Environ

	Now        func() time.Time
	Executable func() (string, error)                    // the running program
	Trial      func(ctx context.Context, t Trial) Result // such as [RunTrial]
	Session    func() Session
	Load       func(c backends.Client, s meter.Session) (meter.State, error) // without a sidecar
	Told       func(s meter.Session) string                                  // the file with what a client told of a session, "" if there can be none

	Learned func() (*calibrate.Learned, error) // of the user's transcripts; nil is nothing
	Kept    map[string]Kept                    // the folders of the state folder with a file for each session
	Key     func(name string) bool             // whether a file of these may be called so, up to the first dot
	Sample  func() (Sample, error)
	Tool    string // what the server's tool is called
	Nothing string // what the status line says if it knows nothing
}

// Kept is how a file about a session looks.
type Kept struct {
	Most    int64 // bytes
	Version int
}

// Session is the session that a reading would be of.
type Session struct {
	Client   backends.Client
	Info     meter.Session
	Identity meter.Identity
	State    meter.State
	Reading  *meter.Reading

	Fault     *meter.Fault // why there is no reading, nil if there is one
	Unfound   bool         // because it is not known which session is meant
	Unwritten string       // the client whose session the environment names and that has no transcript of it
}

// doctor looks at one thing after the other and writes down what it finds.
type doctor struct {
	Options
	env  meter.Env
	dir  string // the project
	self string // path of the running program, "" if unknown

	found     []Finding
	about     about // what the findings that are made now are about
	tried     tried
	layers    []layer         // settings files of Claude Code that it takes, the last one wins
	idle      map[idle]string // why the client does not go by them
	aside     map[string]bool // settings files that are for other folders
	broken    map[string]bool // settings files that nobody can use
	taken     map[string]bool // parts of a client in whose place something else stands
	archive   archive
	blocked   bool            // 'install' cannot keep what it would need to take its things out again
	writables map[string]bool // what was found out of a file, by its path
	firsts    map[string]map[string]string
	tomls     map[string]map[string]any
	app       *appProject
	hooked    []hooked          // files with hooks
	parts     map[string]bool   // that are installed in some client, and used
	clients   map[string]string // versions of Codex, by its home
	lines     map[string]string // settings files with a status line that is used, by the folder of Claude Code
}

// Run examines everything. With nothing to clean it only looks.
func Run(ctx context.Context, o Options) Report {
	d := &doctor{
		Options: o, env: o.Selection.Env, dir: paths.Under(o.Selection.Env.Dir, o.Settings.Dir),
		idle: map[idle]string{}, aside: map[string]bool{}, broken: map[string]bool{}, parts: map[string]bool{}, taken: map[string]bool{}, tried: tried{results: map[string]Result{}}, clients: map[string]string{}, lines: map[string]string{},
	}
	sel := &d.Selection
	if len(sel.Roots) == 0 && len(sel.Homes) == 0 {
		d.problem("clients", "no home folder is known", "set HOME, or name the clients' folders with --claude-dir and --codex-home")
	}
	sel.OnlyFound = true
	sel.Roots, sel.Homes = d.folders(sel.Roots, o.Settings.ClaudeDirs), d.folders(sel.Homes, o.Settings.CodexHomes)

	d.archive = d.lookAtArchive()
	d.blocked = len(d.archive.inTheWay)+len(d.archive.records) > 0
	d.checkProgram()
	d.checkConfiguration()
	d.checkClaude()
	d.checkCodex()
	d.checkClients()
	d.checkLayers()
	d.checkFeatures()
	d.checkWiring(ctx)
	d.checkFooters()
	d.checkCalled()
	d.checkSession()
	d.checkLearned()
	d.checkFiles()
	return Report{meter.SchemaVersion, folded(d.found)}
}
