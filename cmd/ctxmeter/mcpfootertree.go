package main

import (
	"strings"
)

// footerNode is an element of the tree that Codex renders, whose children are
// such elements or strings.
type footerNode struct {
	Type     string       `json:"type"`
	Props    *footerProps `json:"props,omitempty"`
	Children []any        `json:"children"`
}

type footerProps struct {
	Color  string `json:"color,omitempty"`
	Weight string `json:"weight,omitempty"`
	Gap    int    `json:"gap,omitempty"`
	Wrap   string `json:"wrap,omitempty"`
}

// Codex takes 256 nodes, 16 KiB of text and 64 KiB of JSON; of what is larger
// it shows nothing, and never asks again (0.171.0, observed).
const (
	mostNodes = 200
	mostText  = 8 << 10 // bytes
)

// treeOf is a line of such parts. Those that have no room on it the client
// puts on the next one.
func treeOf(parts []string) any {
	row := footerNode{Type: "row", Props: &footerProps{Gap: 1, Wrap: "wrap"}}
	nodes, size := 1, 0
	for _, part := range parts {
		spans := spansOf(part)
		nodes, size = nodes+1+2*len(spans), size+len(part) // a span may be an element with its text
		if nodes > mostNodes || size > mostText {
			break
		}
		if len(spans) == 1 {
			row.Children = append(row.Children, spans[0])
		} else {
			row.Children = append(row.Children, footerNode{Type: "text", Children: spans})
		}
	}
	if len(row.Children) == 0 {
		return nothingToShow
	}
	return row
}

// spansOf takes text with colors apart. Nothing but style.paint puts an escape
// sequence into it.
func spansOf(text string) (spans []any) {
	for text != "" {
		plain, rest, painted := strings.Cut(text, "\x1b[")
		if plain != "" {
			spans = append(spans, plain)
		}
		if !painted {
			break
		}
		var color, inside string
		color, rest, _ = strings.Cut(rest, "m")
		inside, text, _ = strings.Cut(rest, "\x1b[0m")
		if props := footerColor(color); props != nil {
			spans = append(spans, footerNode{Type: "text", Props: props, Children: []any{inside}})
		} else {
			spans = append(spans, inside)
		}
	}
	return spans
}

func footerColor(sgr string) *footerProps {
	switch sgr {
	case colorGood:
		return &footerProps{Color: "green"}
	case colorCare:
		return &footerProps{Color: "yellow"}
	case colorBad:
		return &footerProps{Color: "red"}
	case colorWorst:
		return &footerProps{Color: "red", Weight: "bold"}
	}
	return nil
}
