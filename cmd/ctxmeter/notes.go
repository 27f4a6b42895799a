package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/ctxmeter/ctxmeter/meter"
)

// statusWords says what is wrong with a reading and what to do about it.
func statusWords(r *meter.Reading) string {
	switch r.Status {
	case meter.StatusStale:
		return "stale: the transcript has not grown for a while; a turn may be running, or the session is over"
	case meter.StatusAwaiting:
		return "just compacted: an estimate until the next reply is measured"
	case meter.StatusWindowUnknown:
		return "the window of this model is not known: give --window TOKENS, or name it under [windows] in the configuration"
	case meter.StatusTimeUnknown:
		return "no record tells its time: how old this is, is not known"
	case meter.StatusNoReading:
		return "no reading: the session has begun, but no reply was measured"
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
	return fmt.Sprintf("the client itself shows %s tokens, %g %%", number(*v.UsedTokens), *v.UsedPercent)
}

func sessionWords(r *meter.Reading) string {
	parts := []string{name(r.Session.Backend), name(r.Session.ID)}
	if r.Session.AgentID != nil {
		parts = append(parts, "agent "+name(*r.Session.AgentID))
	}
	if r.Session.Model != nil {
		parts = append(parts, name(*r.Session.Model))
	}
	if r.Session.Project != nil {
		parts = append(parts, name(*r.Session.Project))
	}
	switch r.Session.Identity {
	case meter.IdentityOnly:
		parts = append(parts, "the only session here")
	case meter.IdentityLatest:
		parts = append(parts, "the newest session here")
	case meter.IdentityEnv:
		parts = append(parts, "named by the environment")
	}
	if r.EventAgeSeconds != nil {
		parts = append(parts, age(*r.EventAgeSeconds)+" ago")
	}
	return strings.Join(parts, ", ")
}
