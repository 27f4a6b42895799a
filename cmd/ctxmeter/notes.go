package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/ctxmeter/ctxmeter/cmd/ctxmeter/wording"
	"github.com/ctxmeter/ctxmeter/meter"
)

// longAgo is the age in seconds from which nobody waits for a reply any more.
const longAgo = 3600

// statusWords says what is wrong with a reading and what to do about it.
func statusWords(r *meter.Reading) string {
	switch r.Status {
	case meter.StatusStale:
		if *r.EventAgeSeconds > longAgo {
			return "stale: " + writtenWords(r)
		}
		return "stale: " + writtenWords(r) + "; a turn may be running, or the session is over"
	case meter.StatusAwaiting:
		return "compacted, and nothing measured since: an estimate until the next reply"
	case meter.StatusWindowUnknown:
		return "the window of this model is not known: give --window TOKENS, or name it under [windows] in the configuration"
	case meter.StatusTimeUnknown:
		return "no record tells its time: how old this is, is not known"
	}
	return ""
}

func writtenWords(r *meter.Reading) string {
	if r.EventAgeSeconds == nil {
		return ""
	}
	return "last written " + wording.Age(*r.EventAgeSeconds) + " ago"
}

// codeDisproved is the warning that evidence overruled a window.
const codeDisproved = "window_disproved"

// overruled reports whether the window that the user named is not the one of
// the reading.
func overruled(r *meter.Reading, window int64) bool {
	return window > 0 && r.WindowSource != nil && *r.WindowSource != meter.SourceCaller ||
		window > 0 && r.WindowTokens == nil && r.UsedTokens != nil
}

// windowWords says where the window is not what the user may think.
func windowWords(r *meter.Reading, window int64) string {
	switch {
	case overruled(r, window):
		return fmt.Sprintf("--window %s is overruled: a measured request was larger than that", wording.Number(window))
	case r.WindowSource != nil && *r.WindowSource == meter.SourceAssumed:
		return "window assumed from the model's name: set --window if you know better"
	}
	return ""
}

// clientWords tells what the client itself shows, where that is not the same.
func clientWords(r *meter.Reading) string {
	v := r.ClientView
	if v.UsedTokens == nil || v.UsedPercent == nil || r.UsedPercent == nil ||
		*v.UsedTokens == *r.UsedTokens && math.Abs(*v.UsedPercent-*r.UsedPercent) < 1 {
		return ""
	}
	out := fmt.Sprintf("the client itself shows %s tokens, %g %%", wording.Number(*v.UsedTokens), *v.UsedPercent)
	if v.Note != "" {
		out += " (" + wording.Clean(v.Note) + ")"
	}
	return out
}

func sessionWords(r *meter.Reading) string {
	parts := []string{wording.Name(r.Session.Backend), wording.Name(r.Session.ID)}
	if r.Session.AgentID != nil {
		parts = append(parts, "agent "+wording.Name(*r.Session.AgentID))
	}
	if r.Session.Model != nil {
		parts = append(parts, wording.Name(*r.Session.Model))
	}
	if r.Session.Project != nil {
		parts = append(parts, wording.Name(*r.Session.Project))
	}
	switch r.Session.Identity {
	case meter.IdentityOnly:
		parts = append(parts, "the only session here")
	case meter.IdentityLatest:
		parts = append(parts, "the newest session here")
	case meter.IdentityEnv:
		parts = append(parts, "named by the environment")
	}
	if r.EventAgeSeconds != nil && r.Status != meter.StatusStale {
		parts = append(parts, writtenWords(r))
	}
	return strings.Join(parts, ", ")
}
