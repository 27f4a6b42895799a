package codex

import (
	"path/filepath"
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/transcript"
)

// TestCases asks what public reports of wrong answers asked.
func TestCases(t *testing.T) {
	for _, c := range []struct {
		report, id       string // id "": the newest session of /home/dev/shop
		want             string // of the session found, "" if it is id
		measured, window int64
		trigger          int64
		parent, model    string
		estimated        bool
		compactions      int64
	}{
		{report: "A01", id: "019f4a78-9762-5618-99d2-65ac22297dee", measured: 48_212, window: 258_400, trigger: 244_800, model: "gpt-5.5"},
		{report: "A08", id: "019fd581-b70d-5727-a368-4d600dab563b", measured: 14_660, window: 258_400},
		{report: "A09", id: "019f0710-d5d6-5ea6-be6d-5d424c121ef7", measured: 13_800, window: 258_400, parent: "019f6761-945f-5a1d-bdf7-3d2ef6834c25"},
		{report: "A09", id: "019f6761-945f-5a1d-bdf7-3d2ef6834c25", measured: 60_000},
		{report: "A26", id: "019f0c76-a18c-531a-85f4-81a0b8c06209", measured: 51_293, window: 258_400, estimated: true, compactions: 1},
		{report: "B13", id: "019f0998-e7f9-50f3-a0c5-328f3f27c09e", measured: 246_020, window: 258_400, trigger: 244_800},
		{report: "B19", id: "019fd14f-d398-5781-b6b6-d919b1c0a855", measured: 212_000, window: 258_400, trigger: 244_800, model: "gpt-5.3-codex"},
		{report: "D09", want: "019ff671-0406-5ed3-975b-25d0d3de61ab", measured: 89_000},
		{report: "D09", id: "019f6b50-b689-5ba6-b435-bc7cb8464e13", measured: 7_090, parent: "019ff671-0406-5ed3-975b-25d0d3de61ab"},
		{report: "D11", id: "019fba81-98d3-5c78-babc-3b9f3a44c1b1", measured: 36_900, window: 258_400},
		{report: "D11", want: "019fba81-98d3-5c78-babc-3b9f3a44c1b1", measured: 36_900},
		{report: "G03", id: "019ff4c8-4e66-57f7-b253-f3baaa088564", measured: 30_500},
		{report: "G03", want: "019ff4c8-4e66-57f7-b253-f3baaa088564", measured: 30_500},
	} {
		t.Run(c.report, func(t *testing.T) {
			home, err := filepath.Abs(filepath.Join("../../testdata/cases", c.report, "codex"))
			if err != nil {
				t.Fatal(err)
			}
			cl := New(meter.Env{CodexHomes: []string{home}})
			var found []meter.Session
			if c.id != "" {
				found, err = cl.Find(c.id)
				c.want = c.id
			} else {
				found, err = cl.Here("/home/dev/shop")
			}
			if err != nil || len(found) != 1 {
				t.Fatalf("%+v, %v", found, err)
			}
			s := found[0]
			st, err := transcript.Load(s, cl.Decoder(s), transcript.Options{})
			if err != nil {
				t.Fatal(err)
			}
			u := st.Context().Usage
			if s.ID != c.want || s.ParentID != c.parent || u.Total != c.measured || u.Estimated != c.estimated || st.Facts.Compactions != c.compactions {
				t.Errorf("session %s of %q, %+v, %d compactions", s.ID, s.ParentID, u, st.Facts.Compactions)
			}
			if c.window != 0 && st.Window.Tokens != c.window || c.model != "" && st.Model != c.model {
				t.Errorf("window %+v, model %s", st.Window, st.Model)
			}
			if tr := cl.Limits(s, st).Trigger(st.Window); c.trigger != 0 && tr.Tokens != c.trigger {
				t.Errorf("trigger %+v", tr)
			}
		})
	}
}
