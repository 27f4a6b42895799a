package wiring

// Self is how the clients are to start ctxmeter.
type Self struct {
	Program string // for those that start it themselves
	Shell   string // for Claude Code, which asks a shell
	Cmd     string // for Codex, which asks another one on Windows
}

// ByName starts ctxmeter from the PATH. No shell takes that apart.
func ByName() Self { return Self{"ctxmeter", "ctxmeter", "ctxmeter"} }
