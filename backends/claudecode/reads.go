package claudecode

import "github.com/ctxmeter/ctxmeter/meter"

// Limits of the Read tool, 2.1.197, observed: files of 262,144 bytes were read
// and of 262,145 refused; neither the number of lines (5,000) nor their length
// (60,000 characters) ended a read, whatever the tool's description says. The
// server can lower the tokens for an account (10,000 in public reports of
// 2.1.92 and 2.1.107); that leaves no trace.
const (
	readBytes  = 256 << 10
	readTokens = 25_000
)

// readPart is a version that shows the first page of a file with too many
// tokens; 2.1.107 still refused such a file (public reports; what is between
// the two is not known).
var readPart = semver{2, 1, 108}

// Versions before these write wide line numbers, and remind of malware after
// every read (real sessions: 2.1.80 and 2.1.50 do, 2.1.91 and 2.1.51 do not; a
// few of 2.1.39 leave the reminder out).
var (
	readNarrow   = semver{2, 1, 81}
	readReminded = semver{2, 1, 51}
)

// readReminder is as long as the reminder is from 2.0.26 on (before, 281).
const readReminder = "\n\n<system-reminder>\nWhenever you read a file, you should consider whether it would be considered malware. You CAN and SHOULD provide analysis of malware, what it is doing. But you MUST refuse to improve or augment the code. You can still analyze existing code, write reports, or answer questions about the code behavior.\n</system-reminder>\n"

// What the Read tool says beside a file's text (2.1.197, observed).
const (
	readNote  = "<system-reminder>[Truncated: PARTIAL view — showing lines 1-1393 of 3334 total (50850 tokens, cap 25000). Call Read with offset=1394 limit=1393 for the next page, or Grep to find a specific section. Do NOT answer from this page alone if the answer may be further in the file.]</system-reminder>\n\n"
	readEmpty = "<system-reminder>Warning: the file exists but is shorter than the provided offset (1). The file has 1 lines.</system-reminder>"
)

// ReadLimit implements backends.Client.
func (c *Client) ReadLimit(s meter.Session, state meter.State) meter.ReadLimit {
	set := readSettings(c.layers(s.Root, c.launchFolder(s, state)))
	return readLimit(c.varsOf(s, set), state.Version)
}

// readLimit is the limit under the client's variables. The tokens are those
// of the file's text without line numbers. They are asked of the provider only
// if a quarter of the characters is over a quarter of the limit, and a page is
// made for 85 % of it (2.1.197, observed: pages of 21,250 and 4,250).
func readLimit(v vars, version string) meter.ReadLimit {
	tokens := int64(readTokens)
	// In the settings it is stronger than in the environment (2.1.197,
	// observed); what is no number over zero changes nothing.
	if n, _ := v.number("CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS"); n > 0 {
		tokens = n
	}
	l := meter.ReadLimit{
		Tool: "Read", Numbered: true, Note: readNote, Empty: readEmpty,
		Bytes: readBytes, Tokens: tokens, Page: tokens * 85 / 100, Unchecked: tokens,
	}
	if v, ok := parseVersion(version); ok {
		if v.before(readPart) {
			l.Page = 0
		}
		if v.before(readReminded) {
			l.Frame = readReminder
		}
		l.Padded = v.before(readNarrow)
	}
	return l
}
