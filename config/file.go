package config

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"

	"github.com/BurntSushi/toml"
)

// maxFile and maxLine are more than any configuration needs, in bytes. What is
// larger is not handed to the decoder: with nested tables its time and memory
// grow far faster than the file.
const (
	maxFile = 64 << 10
	maxLine = 2 << 10
)

// file is the content of a configuration file: settings by key, windows by
// pattern.
type file struct {
	values   map[string]fileValue
	windows  map[string]fileValue
	problems []*Error
}

type fileValue struct {
	texts []string
	line  int
}

// readFile reads the file at path. A file that does not exist is no error
// unless it was asked for.
func readFile(path string, asked bool) (f file, found bool, err error) {
	if path == "" {
		return file{}, false, nil
	}
	info, err := os.Stat(path) // before opening: a pipe would block
	if (errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)) && !asked {
		return file{}, false, nil
	}
	var in *os.File
	switch {
	case err == nil && !info.Mode().IsRegular():
		err = errors.New("it is not a regular file")
	case err == nil:
		in, err = os.Open(path)
	}
	if err != nil {
		return file{}, false, &Error{Origin: Origin{Layer: LayerFile}, Problem: "it cannot be opened: " + cause(err), Err: err}
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("over %d bytes", maxFile)
	}
	if err != nil {
		return file{}, true, &Error{Origin: Origin{Layer: LayerFile}, Problem: "it cannot be read: " + cause(err), Err: err}
	}
	f, err = parseFile(string(data))
	return f, true, err
}

// cause is the reason of an error of the file system, without the path.
func cause(err error) string {
	if p, ok := errors.AsType[*os.PathError](err); ok {
		return p.Err.Error()
	}
	return err.Error()
}

func parseFile(text string) (file, error) {
	n := 0
	for line := range strings.Lines(text) {
		if n++; len(line) > maxLine {
			return file{}, &Error{Origin: Origin{Layer: LayerFile, Line: n}, Problem: fmt.Sprintf("a line is over %d bytes", maxLine)}
		}
		if key, _, _ := strings.Cut(line, "="); strings.Count(key, ".") > 20 { // a model's name in [windows] may have a few
			return file{}, &Error{Origin: Origin{Layer: LayerFile, Line: n}, Problem: "a key is nested too deep"}
		}
	}
	var doc map[string]toml.Primitive
	md, err := toml.Decode(text, &doc)
	if err != nil {
		return file{}, syntaxError(err)
	}
	p := parser{md: &md, known: map[string]bool{}, out: file{values: map[string]fileValue{}, windows: map[string]fileValue{}}}
	for _, s := range All() {
		if s.File {
			p.known[s.Key] = true
		}
	}
	p.table("", doc)
	return p.out, nil
}

func syntaxError(err error) error {
	e := &Error{Origin: Origin{Layer: LayerFile}, Problem: "this is not TOML", Err: err}
	if p, ok := errors.AsType[toml.ParseError](err); ok {
		e.Origin.Line = p.Position.Line
		e.Problem = "this is not TOML: " + p.Message
	}
	return e
}

type parser struct {
	md    *toml.MetaData
	known map[string]bool
	out   file
}

func (p *parser) table(prefix string, table map[string]toml.Primitive) {
	for name, prim := range table {
		key := prefix + name
		line := p.line(prim)
		switch {
		case key == tableCutoffs || key == tableFormat || key == tableLine || key == tableHook:
			if sub, ok := p.sub(prim); ok {
				p.table(key+".", sub)
			} else {
				p.noTable(key, line)
			}
		case key == tableWindows:
			if sub, ok := p.sub(prim); ok {
				p.windows(sub)
			} else {
				p.noTable(key, line)
			}
		case !p.known[key]:
			_, isTable := p.sub(prim)
			p.problem(key, line, "%s", unknownKey(strings.TrimSuffix(prefix, "."), name, isTable && prefix == ""))
		default:
			if texts, ok := p.texts(key, prim, line); ok {
				p.out.values[key] = fileValue{texts: texts, line: line}
			}
		}
	}
}

func (p *parser) windows(table map[string]toml.Primitive) {
	for pattern, prim := range table {
		line := p.line(prim)
		key := windowKey(pattern)
		if texts, ok := p.texts(key, prim, line); ok {
			p.out.windows[pattern] = fileValue{texts: texts, line: line}
		}
	}
}

func (p *parser) sub(prim toml.Primitive) (map[string]toml.Primitive, bool) {
	var v any
	var sub map[string]toml.Primitive
	err := p.md.PrimitiveDecode(prim, &v)
	if _, ok := v.(map[string]any); err == nil && ok {
		err = p.md.PrimitiveDecode(prim, &sub)
	}
	return sub, err == nil && sub != nil
}

func (p *parser) noTable(key string, line int) {
	p.problem(key, line, "%s is a table: write [%s] and its keys below it", key, key)
}

// texts returns a value as the text, or texts, that a flag would give.
func (p *parser) texts(key string, prim toml.Primitive, line int) ([]string, bool) {
	var v any
	if err := p.md.PrimitiveDecode(prim, &v); err == nil {
		if list, ok := v.([]any); ok {
			texts := make([]string, 0, len(list))
			for _, item := range list {
				text, ok := item.(string)
				if !ok {
					break
				}
				texts = append(texts, text)
			}
			if len(texts) == len(list) {
				return texts, true
			}
		} else if text, ok := scalar(v); ok {
			return []string{text}, true
		}
	}
	p.problem(key, line, "%s has a value of the wrong kind", key)
	return nil, false
}

func scalar(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	case int64:
		return strconv.FormatInt(v, 10), true
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	}
	return "", false
}

func (p *parser) problem(key string, line int, format string, args ...any) {
	p.out.problems = append(p.out.problems, &Error{
		Origin: Origin{Layer: LayerFile, Name: key, Line: line}, Problem: fmt.Sprintf(format, args...),
	})
}

// locator refuses every value: the decoder's error then tells the line of the
// key, which it tells in no other way.
type locator struct{}

func (*locator) UnmarshalTOML(any) error { return errors.ErrUnsupported }

func (p *parser) line(prim toml.Primitive) int {
	e, _ := errors.AsType[toml.ParseError](p.md.PrimitiveDecode(prim, &locator{}))
	return e.Position.Line
}
