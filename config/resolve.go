package config

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Sources are where values may come from.
type Sources struct {
	// Flag returns the texts a flag was given, in order; none if it was not.
	Flag   func(name string) []string
	Getenv func(name string) string
	Home   string // "" if unknown
	GOOS   string // as runtime.GOOS
}

// Resolve returns the effective settings. The error is an *Error.
func Resolve(src Sources) (*Settings, error) {
	s := &Settings{origins: map[string]Origin{}}
	var asked bool
	s.Path, asked = FilePath(src)
	s.Named = asked
	f, found, err := readFile(s.Path, asked)
	if err != nil {
		return nil, s.placed(src, err)
	}
	s.Found = found
	if err := s.fill(src, f); err != nil {
		return nil, s.placed(src, err)
	}
	return s, nil
}

func (s *Settings) fill(src Sources, f file) error {
	if err := s.applyFile(src, f); err != nil {
		return err
	}
	for layer := LayerDefault; layer <= LayerFlag; layer++ {
		if err := s.apply(layer, src, f); err != nil {
			return err
		}
	}
	if err := s.check(); err != nil {
		return err
	}
	s.expand(src.Home)
	return nil
}

// placed completes an error about the file.
func (s *Settings) placed(src Sources, err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Origin.Layer != LayerFile {
		return err
	}
	e.File = s.Path
	if !s.Named {
		e.File = abbreviated(src.Home, s.Path)
	}
	for _, more := range e.More {
		more.File = e.File
	}
	if s.Named && errors.Is(err, os.ErrNotExist) {
		name := variableFile
		if len(src.Flag(keyFile)) > 0 {
			name = "--config"
		}
		e.Key, e.Origin.Name, e.Problem = keyFile, name, "names no file: "+s.Path
	}
	return e
}

// How the file itself is named; the second is a flag, too.
const (
	variableFile = "CTXMETER_CONFIG"
	keyFile      = "config"
)

// FilePath tells where the configuration file is looked for, "" if there is no
// place for one, and whether the user named it.
func FilePath(src Sources) (path string, asked bool) {
	if v := src.Flag(keyFile); len(v) > 0 {
		return below(src.Home, v[len(v)-1]), true
	}
	if v := src.Getenv(variableFile); v != "" {
		return below(src.Home, v), true
	}
	return FindPlaces(src.Getenv, src.Home, src.GOOS).File, false
}

// apply puts one layer over what the weaker ones said.
func (s *Settings) apply(layer Layer, src Sources, f file) error {
	all := All()
	s.json, s.pretty, s.format = false, false, ""
	given := map[string]Origin{}
	for _, setting := range all {
		texts, origin := setting.look(layer, src, f)
		if len(texts) == 0 {
			continue
		}
		if err := s.set(setting, texts); err != nil {
			return wrong(setting, origin, err)
		}
		s.origins[setting.Key] = origin
		if layer > LayerDefault && (setting.Kind != KindBool || s.bool(setting.Key)) {
			given[setting.Key] = origin
		}
	}
	if err := s.exclude(all, given); err != nil {
		return err
	}
	return s.chooseOutput(given)
}

func wrong(setting Setting, origin Origin, err error) *Error {
	return &Error{Key: setting.Key, Origin: origin, Problem: err.Error()}
}

// applyFile sets the windows, and looks at all that is wrong in the file: who
// mends it wants to know at once.
func (s *Settings) applyFile(src Sources, f file) error {
	problems := append(f.problems, s.applyWindows(f)...)
	for _, setting := range All() {
		if texts, origin := setting.look(LayerFile, src, f); len(texts) > 0 {
			if err := new(Settings).set(setting, texts); err != nil {
				problems = append(problems, wrong(setting, origin, err))
			}
		}
	}
	if len(problems) == 0 {
		return nil
	}
	slices.SortFunc(problems, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Origin.Line, b.Origin.Line), cmp.Compare(a.Problem, b.Problem))
	})
	problems[0].More = problems[1:]
	return problems[0]
}

// look returns what a layer says of the setting.
func (s Setting) look(layer Layer, src Sources, f file) ([]string, Origin) {
	switch layer {
	case LayerDefault:
		if s.Default != "" {
			return []string{s.Default}, Origin{}
		}
	case LayerFile:
		if v, ok := f.values[s.Key]; ok && s.File {
			return v.texts, Origin{Layer: LayerFile, Name: s.Key, Line: v.line}
		}
	case LayerEnv:
		if text := src.Getenv(s.Env()); text != "" {
			texts := []string{text}
			if s.Kind == KindFolders {
				texts = filepath.SplitList(text)
			}
			return texts, Origin{Layer: LayerEnv, Name: s.Env()}
		}
	case LayerFlag:
		if s.Flag != "" {
			return src.Flag(s.Flag), Origin{Layer: LayerFlag, Name: "--" + s.Flag}
		}
	}
	return nil, Origin{}
}

// exclude holds that the settings of one group exclude each other: within a
// layer that is an error, else the stronger layer silences the weaker.
func (s *Settings) exclude(all []Setting, given map[string]Origin) error {
	var first *Setting
	for i, setting := range all {
		if setting.Group == "" {
			continue
		}
		origin, ok := given[setting.Key]
		if !ok {
			continue
		}
		if first != nil {
			return &Error{Key: setting.Key, Origin: origin, Problem: fmt.Sprintf("cannot be combined with %s: give one of them", given[first.Key].Name)}
		}
		first = &all[i]
	}
	if first == nil {
		return nil
	}
	for _, setting := range all {
		if setting.Group != first.Group || setting.Key == first.Key {
			continue
		}
		delete(s.origins, setting.Key)
		switch setting.Key {
		case keyThreadID:
			s.ThreadID = ""
		case keySessionFile:
			s.SessionFile = ""
		case keyLatest:
			s.Latest = false
		}
	}
	return nil
}

// chooseOutput makes one form of --json, --pretty and --format.
func (s *Settings) chooseOutput(given map[string]Origin) error {
	format, formatGiven := given[keyFormatOutput]
	if formatGiven {
		s.Output = Output(s.format)
	}
	for _, key := range []string{keyJSON, keyPretty} {
		origin, ok := given[key]
		if !ok {
			continue
		}
		if formatGiven && s.format != string(OutputJSON) {
			return &Error{Key: key, Origin: origin, Problem: fmt.Sprintf("cannot be combined with %s %s: give one of them", format.Name, s.format)}
		}
		s.Output = OutputJSON
		if s.pretty {
			s.Output = OutputPretty
		}
		s.origins[keyFormatOutput] = origin
	}
	return nil
}

func (s *Settings) applyWindows(f file) (problems []*Error) {
	for pattern, v := range f.windows {
		tokens, err := ParseTokens(strings.Join(v.texts, " "))
		if err == nil && tokens == 0 {
			err = fmt.Errorf("wants a number of tokens over 0")
		}
		if err != nil {
			problems = append(problems, &Error{Key: windowKey(pattern), Origin: Origin{Layer: LayerFile, Name: tableWindows, Line: v.line}, Problem: err.Error()})
		}
		s.Windows = append(s.Windows, ModelWindow{Pattern: pattern, Tokens: tokens})
	}
	slices.SortFunc(s.Windows, func(a, b ModelWindow) int { return cmp.Compare(a.Pattern, b.Pattern) })
	if len(s.Windows) > 0 {
		s.origins[tableWindows] = Origin{Layer: LayerFile, Name: tableWindows}
	}
	return problems
}

// windowKey is how an error calls a key of the table [windows].
func windowKey(pattern string) string { return tableWindows + "." + Quote(pattern) }

// check looks at values that only together can be wrong.
func (s *Settings) check() error {
	c := s.Cutoffs
	if !(c.Moderate <= c.High && c.High <= c.Critical) {
		return &Error{
			Key: "cutoffs", Origin: s.strongest(keyModerate, keyHigh, keyCritical),
			Problem: fmt.Sprintf("leaves the cut-offs out of order: moderate %g, high %g, critical %g must rise", c.Moderate, c.High, c.Critical),
		}
	}
	if s.Window > 0 && s.CompactThreshold > s.Window {
		return &Error{
			Key: keyThreshold, Origin: s.strongest(keyThreshold, keyWindow),
			Problem: fmt.Sprintf("puts the compaction threshold (%d) over the window (%d)", s.CompactThreshold, s.Window),
		}
	}
	return nil
}

func (s *Settings) strongest(keys ...string) Origin {
	var best Origin
	for _, key := range keys {
		if o := s.origins[key]; o.Layer > best.Layer {
			best = o
		}
	}
	return best
}

// expand replaces a leading ~/ by the home folder: nobody does so for the
// file, and a shell not in --flag=~/x.
func (s *Settings) expand(home string) {
	for _, list := range [][]string{s.ClaudeDirs, s.CodexHomes} {
		for i, dir := range list {
			list[i] = below(home, dir)
		}
	}
	for _, path := range []*string{&s.Dir, &s.SessionFile, &s.Planned} {
		*path = below(home, *path)
	}
}

// abbreviated writes ~ for the home folder, the reverse of below.
func abbreviated(home, path string) string {
	if rest, err := filepath.Rel(home, path); home != "" && err == nil && filepath.IsLocal(rest) {
		return filepath.Join("~", rest)
	}
	return path
}

func below(home, path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && home != "" {
		return filepath.Join(home, rest)
	}
	return path
}
