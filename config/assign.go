package config

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// set gives the setting the value that texts state.
func (s *Settings) set(setting Setting, texts []string) error {
	if setting.Kind == KindFolders {
		if slices.Contains(texts, "") {
			return fmt.Errorf("names a folder without a name")
		}
		*s.folders(setting.Key) = slices.Clone(texts)
		return nil
	}
	if len(texts) != 1 {
		return fmt.Errorf("is given %d times: give it once", len(texts))
	}
	text := texts[0]
	switch setting.Kind {
	case KindBool:
		v, ok := ParseBool(text)
		if !ok {
			return fmt.Errorf("wants yes or no, not %q", text)
		}
		s.setBool(setting.Key, v)
		return nil
	case KindChoice:
		if !slices.Contains(setting.Choices, text) {
			return fmt.Errorf("wants one of %s, not %q", strings.Join(setting.Choices, ", "), text)
		}
		*s.text(setting.Key) = text
		return nil
	case KindTokens:
		n, err := ParseTokens(text)
		if err == nil && n == 0 {
			err = fmt.Errorf("wants a number of tokens over 0")
		}
		return assign(s.tokens(setting.Key), n, err)
	case KindBytes:
		n, err := ParseBytes(text)
		return assign(&s.MaxScanBytes, n, err)
	case KindSeconds:
		d, err := parseSeconds(text)
		return assign(&s.StaleAfter, d, err)
	case KindPercent:
		p, err := parsePercent(text)
		return assign(s.percent(setting.Key), p, err)
	case KindFailAt:
		f, err := parseFailAt(text)
		return assign(&s.FailAt, f, err)
	case KindLine:
		return assign(&s.Statusline, text, checkLine(text))
	}
	if strings.TrimSpace(text) == "" {
		return fmt.Errorf("is empty: give it a value or leave it out")
	}
	*s.text(setting.Key) = text
	return nil
}

func assign[T string | int64 | float64 | time.Duration | FailAt](to *T, v T, err error) error {
	if err == nil {
		*to = v
	}
	return err
}

func (s *Settings) text(key string) *string {
	switch key {
	case keyThreadID:
		return &s.ThreadID
	case keySessionFile:
		return &s.SessionFile
	case keyDir:
		return &s.Dir
	case keyBackend:
		return &s.Backend
	case keyPlanned:
		return &s.Planned
	case keyFormatOutput:
		return &s.format
	case keyFormatColor:
		return &s.Color
	case keyFormatBar:
		return &s.Bar
	case keyLine:
		return &s.Statusline
	case keyHookLevel:
		return &s.HookLevel
	case keyHookBlock:
		return &s.HookBlock
	}
	panic("config: no text setting " + key)
}

func (s *Settings) folders(key string) *[]string {
	if key == keyClaudeDirs {
		return &s.ClaudeDirs
	}
	return &s.CodexHomes
}

func (s *Settings) tokens(key string) *int64 {
	if key == keyWindow {
		return &s.Window
	}
	return &s.CompactThreshold
}

func (s *Settings) percent(key string) *float64 {
	switch key {
	case keyModerate:
		return &s.Cutoffs.Moderate
	case keyHigh:
		return &s.Cutoffs.High
	}
	return &s.Cutoffs.Critical
}

func (s *Settings) setBool(key string, v bool) {
	switch key {
	case keyLatest:
		s.Latest = v
	case keyNoCache:
		s.NoCache = v
	case keyJSON:
		s.json = v
	case keyPretty:
		s.pretty = v
	}
}

func (s *Settings) bool(key string) bool {
	switch key {
	case keyLatest:
		return s.Latest
	case keyNoCache:
		return s.NoCache
	case keyJSON:
		return s.json
	case keyPretty:
		return s.pretty
	}
	return false
}
