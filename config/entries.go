package config

import (
	"strconv"
	"strings"
)

// Entry is one effective value, for printing.
type Entry struct {
	Table  string // "" for keys that stand in none
	Key    string // within the table
	Value  any    // string, bool, int64, float64, []string; nil is not set
	Origin Origin
}

// Entries lists the effective values of what can stand in the file, in the
// order of the file: keys first, then tables.
func (s *Settings) Entries() []Entry {
	var plain, tables []Entry
	for _, setting := range All() {
		if !setting.File {
			continue
		}
		e := Entry{Key: setting.Key, Value: s.value(setting), Origin: s.origins[setting.Key]}
		if table, key, ok := strings.Cut(e.Key, "."); ok {
			e.Table, e.Key = table, key
			tables = append(tables, e)
		} else {
			plain = append(plain, e)
		}
	}
	for _, w := range s.Windows {
		tables = append(tables, Entry{Table: tableWindows, Key: w.Pattern, Value: w.Tokens, Origin: s.origins[tableWindows]})
	}
	return append(plain, tables...)
}

func (s *Settings) value(setting Setting) any {
	switch setting.Kind {
	case KindBool:
		return s.bool(setting.Key)
	case KindTokens:
		return known(*s.tokens(setting.Key))
	case KindBytes:
		return s.MaxScanBytes
	case KindSeconds:
		return s.StaleAfter.Seconds()
	case KindPercent:
		return *s.percent(setting.Key)
	case KindFailAt:
		return known(s.FailAt.String())
	case KindFolders:
		if list := *s.folders(setting.Key); len(list) > 0 {
			return list
		}
		return nil
	}
	if setting.Key == keyFormatOutput {
		return known(string(s.Output))
	}
	return known(*s.text(setting.Key))
}

func known[T comparable](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}

// String is the limit as a user writes it.
func (f FailAt) String() string {
	switch {
	case f.Level != "":
		return f.Level
	case f.Percent > 0:
		return strconv.FormatFloat(f.Percent, 'f', -1, 64) + "%"
	case f.Tokens > 0:
		return strconv.FormatInt(f.Tokens, 10)
	}
	return ""
}

// Quote writes text as a TOML string.
func Quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r >= 0x7f && r < 0xa0:
			b.WriteString(`\u`)
			hex := strconv.FormatInt(int64(r), 16)
			b.WriteString(strings.Repeat("0", 4-len(hex)) + hex)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
