package doctor

import (
	"testing"

	"github.com/ctxmeter/ctxmeter/backends"
	"github.com/ctxmeter/ctxmeter/meter"
)

// A compaction below the trigger, or a turn above it, agrees with nothing.
func TestDoctorTakesACompactionForAgreementOnlyNearTheTrigger(t *testing.T) {
	at := int64(167_000)
	r := &meter.Reading{}
	r.Compaction.TriggerTokens = &at
	client := backends.All(meter.Env{Getenv: func(string) string { return "" }})[0]
	for pre, want := range map[int64]bool{166_700: false, 166_900: true, 167_000: true, 186_000: true, 188_000: false} {
		st := meter.State{Model: "claude-sonnet-4-6", Facts: meter.Facts{Autos: []meter.Auto{{Pre: pre, Model: "claude-sonnet-4-6"}}}}
		if got := (Session{Client: client, State: st, Reading: r}).agrees(); got != want {
			t.Errorf("%d: %v", pre, got)
		}
		st.Model = "claude-opus-4-8"
		if (Session{Client: client, State: st, Reading: r}).agrees() {
			t.Errorf("%d of another model agrees", pre)
		}
	}
	if (Session{Client: client, Reading: r}).agrees() {
		t.Error("no compaction agrees")
	}
}
