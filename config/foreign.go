package config

import (
	"errors"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
)

// What is more than the configuration of another program needs, and more than
// the decoder is given: its time and memory grow far faster than these.
const (
	maxForeign  = 1 << 20 // bytes
	maxDots     = 100     // of the keys in a line
	maxBrackets = 1000    // in a line
)

// DecodeTOML reads the TOML file of another program. An error names a line and
// quotes nothing.
func DecodeTOML(text string) (map[string]any, error) {
	if len(text) > maxForeign {
		return nil, fmt.Errorf("it is over %d bytes", maxForeign)
	}
	n := 0
	for line := range strings.Lines(text) {
		n++
		key, _, _ := strings.Cut(line, "=")
		if strings.Count(key, ".") > maxDots || strings.Count(line, "[")+strings.Count(line, "{") > maxBrackets {
			return nil, fmt.Errorf("line %d is too deep", n)
		}
	}
	var doc map[string]any
	if _, err := toml.Decode(text, &doc); err != nil {
		if p, ok := errors.AsType[toml.ParseError](err); ok {
			return nil, fmt.Errorf("no valid TOML in line %d", p.Position.Line)
		}
		return nil, errors.New("no valid TOML")
	}
	return doc, nil
}
