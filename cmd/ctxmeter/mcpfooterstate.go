package main

import (
	"math"

	"github.com/ctxmeter/ctxmeter/meter"
)

// screenKey is where a read of the footer says what is on the screen.
const screenKey = "com.openai/codex-statusline-state"

const (
	mostID   = 64      // bytes
	mostWord = 128     // bytes
	mostCost = 1 << 30 // USD
)

// onScreen is what of a client's state the line shows, or goes by (Codex
// 0.171.0, observed): the thread, and what its transcript does not tell. The
// numbers of tokens in it are the client's and are not read. What is too long
// or of another kind is left out.
func onScreen(meta map[string]any) meter.Payload {
	thread := object(object(meta[screenKey])["thread"])
	model := object(thread["model"])
	out := meter.Payload{
		Session: word(thread["id"], mostID),
		Model:   word(model["id"], mostWord),
		Effort:  word(model["reasoning_level"], mostWord),
	}
	if usd, ok := object(object(thread["usage"])["cost"])["total_cost_usd"].(float64); ok && !math.IsNaN(usd) && usd < mostCost {
		out.CostUSD = usd
	}
	return out
}

func object(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

func word(v any, most int) string {
	text, _ := v.(string)
	if len(text) > most {
		return ""
	}
	return text
}
