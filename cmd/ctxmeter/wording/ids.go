package wording

import (
	"strings"

	"github.com/ctxmeter/ctxmeter/meter"
)

// ShortIDs are beginnings of the candidates' ids that are enough to choose by:
// those of Codex have their time in the first 13 characters.
func ShortIDs(list []meter.Candidate) []string {
	out := make([]string, len(list))
	for i, c := range list {
		id := Name(c.ID)
		n := min(13, len(id))
		for _, other := range list {
			for n < len(id) && other.ID != c.ID && strings.HasPrefix(strings.ToLower(Name(other.ID)), strings.ToLower(id[:n])) {
				n++
			}
		}
		out[i] = id[:n]
	}
	return out
}
