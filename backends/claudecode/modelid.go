package claudecode

import "strings"

// modelID is a model's name without what says nothing about its window: the
// provider, the region, the date and the revision.
type modelID struct {
	base   string // "claude-opus-4-8"; another vendor's id as it is
	family string // "opus"; "" if it is no Claude model
}

// parseModel reads the ids that transcripts and settings use: the provider's
// own, Bedrock's ("global.anthropic.claude-sonnet-4-6-v1:0"), Vertex's
// ("claude-sonnet-4-5@20250929") and routers' ("anthropic/claude-opus-4-8").
// ARNs name no model that could be relied on (a public report).
func parseModel(id string) modelID {
	id, _ = cutMillion(strings.ToLower(id))
	base := id
	for _, vendor := range []string{"anthropic.", "anthropic/"} {
		if at := strings.Index(base, vendor); at >= 0 && !strings.HasPrefix(base, "arn:") {
			base = base[at+len(vendor):]
		}
	}
	if !strings.HasPrefix(base, "claude-") {
		return modelID{base: id}
	}
	base = trimRevision(base)
	for part := range strings.SplitSeq(base, "-") {
		switch part {
		case "opus", "sonnet", "haiku", "fable":
			return modelID{base: base, family: part}
		}
	}
	return modelID{base: base}
}

// trimRevision cuts off "-v1:0", "@20250929", "-20250929" and "-latest".
func trimRevision(base string) string {
	if at := strings.LastIndex(base, "-v"); at >= 0 && at+2 < len(base) && strings.Trim(base[at+2:], "0123456789:") == "" {
		base = base[:at]
	}
	base, _, _ = strings.Cut(base, "@")
	if at := len(base) - 9; at > 0 && base[at] == '-' && strings.Trim(base[at+1:], "0123456789") == "" {
		base = base[:at]
	}
	return strings.TrimSuffix(base, "-latest")
}

// cutMillion takes the client's mark for a window of 1,000,000 off a model
// setting. The transcript never has it (2.1.197, observed).
func cutMillion(setting string) (model string, million bool) {
	setting = strings.TrimSpace(setting)
	if n := len(setting) - len("[1m]"); n >= 0 && strings.EqualFold(setting[n:], "[1m]") {
		return strings.TrimSpace(setting[:n]), true
	}
	return setting, false
}
