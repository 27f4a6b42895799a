package main

import (
	"github.com/ctxmeter/ctxmeter/config"
	"github.com/ctxmeter/ctxmeter/meter"
)

// configJSON is what --json prints.
type configJSON struct {
	SchemaVersion int            `json:"schema_version"`
	File          string         `json:"file"`
	Found         bool           `json:"found"`
	Settings      []settingsJSON `json:"settings"`
}

// pathJSON is what --json prints of the file's place.
type pathJSON struct {
	SchemaVersion int    `json:"schema_version"`
	File          string `json:"file"`
	Found         bool   `json:"found"`
}

type settingsJSON struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`
	Source string `json:"source"` // "flag", "environment", "file", "default"
	Name   string `json:"name,omitempty"`
	Line   int    `json:"line,omitempty"`
}

func configView(s *config.Settings) configJSON {
	out := configJSON{SchemaVersion: meter.SchemaVersion, File: s.Path, Found: s.Found}
	for _, e := range s.Entries() {
		key := e.Key
		if e.Table != "" {
			key = e.Table + "." + e.Key
		}
		out.Settings = append(out.Settings, settingsJSON{
			Key: key, Value: e.Value, Source: layerName(e.Origin.Layer), Name: e.Origin.Name, Line: e.Origin.Line,
		})
	}
	return out
}

func layerName(l config.Layer) string {
	switch l {
	case config.LayerFlag:
		return "flag"
	case config.LayerEnv:
		return "environment"
	case config.LayerFile:
		return "file"
	}
	return "default"
}
