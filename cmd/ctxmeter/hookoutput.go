package main

// notice is what a hook says. Its zero value is silence.
type notice struct {
	model  string // for the agent
	person string // for its user
	deny   bool   // the read that is asked about is not to be done
}

// hookOutput is what both clients read from a hook (Claude Code 2.1.197 and
// codex-cli 0.171.0, observed). The user sees systemMessage, the model never
// does; additionalContext comes into its next request.
type hookOutput struct {
	SystemMessage string             `json:"systemMessage,omitempty"`
	Specific      hookSpecificOutput `json:"hookSpecificOutput"`
}

type hookSpecificOutput struct {
	Event    string `json:"hookEventName"`
	Context  string `json:"additionalContext,omitempty"`
	Decision string `json:"permissionDecision,omitempty"`
	Reason   string `json:"permissionDecisionReason,omitempty"` // the model reads it in place of the tool's result
}

// output is the answer to an event, "" if nothing is said.
func (n notice) output(event string) string {
	if n == (notice{}) {
		return ""
	}
	out := hookOutput{SystemMessage: n.person, Specific: hookSpecificOutput{Event: event, Context: n.model}}
	if n.deny {
		out.Specific = hookSpecificOutput{Event: event, Decision: "deny", Reason: n.model}
	}
	return jsonOf(out, false)
}
