package claudecode

// clearable reports a tool whose results the client clears when the context is
// nearly full (package meter has the rule). Of real sessions of 1.0.89, 2.0.67
// and 2.1.5: with these all 12 clearings are explained, without Edit or Write
// up to 6 are not, and with the tools of MCP servers and Task clearings would
// have come up to 17 requests early.
func clearable(tool []byte) bool {
	switch string(tool) {
	case "Read", "Bash", "Grep", "Glob", "LS", "WebFetch", "WebSearch", "Edit", "MultiEdit", "Write":
		return true
	}
	return false
}

// clearingVersion is a version of the client and whether it clears results
// without a record: next to all records of a transcript are of one version.
type clearingVersion struct {
	name   string
	clears bool
}

// clears reports whether a version does. Up to 2.1.5 it was seen; nothing is
// known of 2.1.6 to 2.1.28, and 109 requests of 2.1.29, 2.1.50 and 2.1.56 of
// which the rule says so cleared nothing.
func (h *handler) clears(version string) bool {
	if version != h.seen.name {
		v, ok := parseVersion(version)
		h.seen = clearingVersion{version, ok && v.before(semver{2, 1, 6})}
	}
	return h.seen.clears
}
