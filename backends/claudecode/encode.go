package claudecode

import (
	"strconv"
	"strings"
	"unicode/utf16"
)

// longest is how many UTF-16 units of a folder name are kept.
const longest = 200

// Encode returns the name that the client gives to the folder of a project:
// every UTF-16 unit of the launch folder's real path that is no ASCII letter
// or digit becomes a dash, so names collide and an emoji gives two dashes.
// What is longer than 200 units is cut and gets a hash of the path (Claude
// Code 2.1.197, observed; from 2.1.224 on the hash is another one, as a public
// report has it, so that a long name is only good for its first 200 units).
func Encode(dir string) string {
	units := utf16.Encode([]rune(dir))
	name := make([]byte, len(units))
	hash := int32(0)
	for i, u := range units {
		hash = hash<<5 - hash + int32(u)
		name[i] = '-'
		if u < 0x80 && alphanumeric(byte(u)) {
			name[i] = byte(u)
		}
	}
	if len(name) <= longest {
		return string(name)
	}
	return string(name[:longest]) + "-" + strconv.FormatInt(max(int64(hash), -int64(hash)), 36)
}

// folder reports whether the project folder called name may be the one that
// Encode calls encoded.
func (c *Client) folder(name, encoded string) bool {
	if len(encoded) > longest && len(name) > longest {
		name, encoded = name[:longest+1], encoded[:longest+1]
	}
	if c.windows() { // a drive letter is written in either case, as a public report has it
		return strings.EqualFold(name, encoded)
	}
	return name == encoded
}

func alphanumeric(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9'
}
