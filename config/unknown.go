package config

import (
	"fmt"
	"slices"
	"strings"
)

// tables are the tables of the file.
func tables() []string {
	return []string{tableCutoffs, tableFormat, tableLine, tableHook, tableWindows}
}

// keysOf lists what may stand in a table of the file, or above all of them.
func keysOf(table string) (keys []string) {
	for _, s := range All() {
		in, key, ok := strings.Cut(s.Key, ".")
		if !ok {
			in, key = "", s.Key
		}
		if s.File && in == table {
			keys = append(keys, key)
		}
	}
	return keys
}

// unknownKey words what is wrong with a key that is none of the table's, and
// what to do about it. It has to say so itself: no command prints the known
// keys while the file is broken.
func unknownKey(table, key string, isTable bool) string {
	plain := strings.ReplaceAll(key, "-", "_")
	what := fmt.Sprintf("unknown key %q", key)
	switch {
	case isTable:
		what = fmt.Sprintf("unknown table [%s]", key)
	case table != "":
		what = fmt.Sprintf("unknown key %q", table+"."+key)
	}
	if !isTable {
		if place := placeOf(table, plain); place != "" {
			return fmt.Sprintf("%s: %s", what, place)
		}
	}
	if table != "" {
		if near := Near(plain, keysOf(table)...); len(near) > 0 {
			return what + "; did you mean " + quoted(near, `"`+table+".", `"`) + "?"
		}
		return fmt.Sprintf("%s: [%s] holds %s", what, table, List(keysOf(table), "and"))
	}
	asTable, asKey := Near(plain, tables()...), Near(plain, keysOf("")...)
	switch {
	case len(asTable) > 0 && (isTable || len(asKey) == 0):
		return what + "; did you mean " + quoted(asTable, "[", "]") + "?"
	case len(asKey) > 0:
		return what + "; did you mean " + quoted(asKey, `"`, `"`) + "?"
	}
	return fmt.Sprintf("%s: there are %s, and the tables [cutoffs], [format], [statusline], [hook] and [windows]", what, strings.Join(keysOf(""), ", "))
}

// placeOf tells where a key belongs that is known elsewhere, "" if it is not.
func placeOf(table, key string) string {
	for _, t := range []string{tableCutoffs, tableFormat, tableLine, tableHook} {
		if t != table && slices.Contains(keysOf(t), key) {
			return fmt.Sprintf("%s belongs below [%s]", key, t)
		}
	}
	for _, s := range All() {
		switch {
		case s.Key != key && strings.ReplaceAll(s.Flag, "-", "_") != key || strings.Contains(s.Key, "."):
		case !s.File:
			return fmt.Sprintf("it is for one run only: give it as --%s", s.Flag)
		case table != "":
			return fmt.Sprintf("%s belongs above all tables, at the beginning of the file", s.Key)
		}
	}
	return ""
}

func quoted(names []string, before, after string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = before + n + after
	}
	return List(out, "or")
}

// UnknownVariables words what is wrong with the variables of an environment,
// in the form of os.Environ, that look like settings and are none.
func UnknownVariables(environ []string) (sentences []string) {
	known := []string{variableFile, "CTXMETER_DEBUG", "CTXMETER_MCP_TOKEN"}
	for _, s := range All() {
		known = append(known, s.Env())
	}
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, "CTXMETER_") || value == "" || slices.Contains(known, name) {
			continue
		}
		text := name + " is no variable of ctxmeter and has no effect"
		near := Near(name, known...)
		if name == "CTXMETER_SESSION_ID" { // --session-id is another name of --thread-id
			near = []string{"CTXMETER_THREAD_ID"}
		}
		if len(near) > 0 {
			text += "; did you mean " + List(near, "or") + "?"
		}
		sentences = append(sentences, text)
	}
	slices.Sort(sentences)
	return sentences
}
