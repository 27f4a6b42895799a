package main

import (
	"path/filepath"
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
)

// One small invented input for each public complaint about meters of this
// kind, and what the whole program has to say of it. What is 0 or "" in a row
// is not asked of that case.
func TestPublicReports(t *testing.T) {
	for _, tt := range []struct {
		name, id string
		env      map[string]string

		measured    int64 // -1: nothing may be measured
		used        [2]int64
		window      int64 // -1: unknown
		source      meter.Source
		trigger     int64 // -1: none
		triggerBy   meter.Source
		left        int64 // to compaction; -1 is 0
		mode        meter.Mode
		model       string
		compactions int64
		basis       meter.Basis
		parent      string
		warning     string
	}{
		{name: "A01", id: "019f4a78-9762-5618-99d2-65ac22297dee", measured: 48212, window: 258400, source: meter.SourceRollout, trigger: 244800, left: 196588},
		{name: "A05", id: "91ee067e-c3f6-5c68-82df-4dbab64a61ca", measured: 33434, used: [2]int64{33846, 33846}, window: 200000, trigger: 167000},
		{name: "A07", id: "3afbddc0-37d3-58d7-8080-72188948f726", measured: 20305},
		{name: "A07", id: "760991f2-e56b-5ef9-a2d4-fcba4c4088e5", measured: 18904},
		{name: "A08", id: "019fd581-b70d-5727-a368-4d600dab563b", measured: 14660, window: 258400},
		{name: "A09", id: "019f0710-d5d6-5ea6-be6d-5d424c121ef7", measured: 13800, window: 258400, parent: "019f6761-945f-5a1d-bdf7-3d2ef6834c25"},
		{name: "A09", id: "019f6761-945f-5a1d-bdf7-3d2ef6834c25", measured: 60000},
		{name: "A11", id: "14550b7f-8204-5eb4-9a61-63051ee52c34", measured: 81839, window: 200000, model: "claude-sonnet-4-5-20250929"},
		{name: "A20", id: "c44beeee-1bed-5f2d-a3ae-2c0ecc4abd70", measured: 82440, window: 200000, model: "claude-sonnet-4-5-20250929"},
		{name: "A20", id: "a7f31c0", measured: 9003, parent: "c44beeee-1bed-5f2d-a3ae-2c0ecc4abd70"},
		{name: "A24", id: "ad5aa4ea-cab8-589d-9ff9-6e360e985e48", measured: 48720},
		{name: "A24", id: "b16deb23-250f-5725-9808-344e04fedc6c", measured: 139320, basis: meter.BasisEstimate, warning: "upper_bound"},
		{name: "A26", id: "019f0c76-a18c-531a-85f4-81a0b8c06209", measured: 51293, window: 258400, basis: meter.BasisEstimate, compactions: 1, warning: "client_estimate"},
		{name: "A29", id: "79366a56-70ee-5b05-816b-b9f90333ff37", measured: 17800, window: -1, trigger: -1},
		{name: "B01", id: "816c075f-06ba-50cd-a2a2-7adb390d1285", measured: 154300, window: 1000000, source: meter.SourceSettings, trigger: 967000},
		{name: "B13", id: "019f0998-e7f9-50f3-a0c5-328f3f27c09e", measured: 246020, window: 258400, trigger: 244800, left: -1},
		{name: "B17", id: "7276e317-28c7-5837-a07a-61fd468d4836", measured: 151400, window: 200000, trigger: 167000, model: "claude-haiku-4-5-20251001"},
		{name: "B19", id: "019fd14f-d398-5781-b6b6-d919b1c0a855", measured: 212000, window: 258400, trigger: 244800, left: 32800, model: "gpt-5.3-codex"},
		{name: "C01", id: "2d69b221-4171-511a-a018-099a5837e6ae", measured: -1, used: [2]int64{8120, 45000}, compactions: 1, basis: meter.BasisEstimate},
		{name: "C01", id: "cd3af2a8-d26a-5348-98c3-f51802c40431", measured: -1, used: [2]int64{1, 60000}, compactions: 1, basis: meter.BasisEstimate},
		{name: "C08", id: "36ac4aa7-aa3f-539e-a9fd-a6e9f67458f5", measured: 121350, used: [2]int64{102950, 104000}, basis: meter.BasisBoth, warning: "micro_compaction"},
		{name: "C13", id: "7c9fc710-59d2-5164-a6ea-24ea676e4866", measured: 70000, window: 1000000, trigger: 167000, triggerBy: "settings.autoCompactWindow"},
		{name: "C13", id: "7c9fc710-59d2-5164-a6ea-24ea676e4866", env: map[string]string{"DISABLE_AUTO_COMPACT": "1"}, measured: 70000, trigger: -1, mode: meter.ModeOff},
		{name: "D06", id: "41faa580-debf-5c51-b3f2-98f8c5daef9d", measured: 63004},
		{name: "D09", id: "019f6b50-b689-5ba6-b435-bc7cb8464e13", measured: 7090, parent: "019ff671-0406-5ed3-975b-25d0d3de61ab"},
		{name: "D11", id: "019fba81-98d3-5c78-babc-3b9f3a44c1b1", measured: 36900, window: 258400},
		{name: "F08", id: "f6d4e9f3-cdbd-54a7-82b9-5814d631b0f1", measured: 120000, window: 200000},
		{name: "G03", id: "019ff4c8-4e66-57f7-b253-f3baaa088564", measured: 30500},
		{name: "G05", id: "3f7cbfe1-b6cc-5671-8afc-1f50a5a23c02", measured: 42104, warning: "damaged_lines"},
	} {
		t.Run(tt.name+" "+tt.id[:7], func(t *testing.T) {
			dir, err := filepath.Abs(filepath.Join("..", "..", "testdata", "cases", tt.name))
			if err != nil {
				t.Fatal(err)
			}
			r := newRig(t).set("CLAUDE_CONFIG_DIR", filepath.Join(dir, "claude")).set("CODEX_HOME", filepath.Join(dir, "codex"))
			for k, v := range tt.env {
				r.set(k, v)
			}
			got := r.run("--thread-id", tt.id, "--json").reading(t)
			check := func(what string, got *int64, want int64) {
				t.Helper()
				switch {
				case want == 0:
				case want < 0 && got != nil && *got != 0:
					t.Errorf("%s %d, want none", what, *got)
				case want > 0 && (got == nil || *got != want):
					t.Errorf("%s %v, want %d", what, shown(got), want)
				}
			}
			check("measured", got.MeasuredTokens, tt.measured)
			check("window", got.WindowTokens, tt.window)
			check("trigger", got.Compaction.TriggerTokens, tt.trigger)
			check("left", got.Compaction.RemainingTokens, tt.left)
			check("compactions", got.Compaction.Count, tt.compactions)
			if u := got.UsedTokens; tt.used[1] > 0 && (u == nil || *u < tt.used[0] || *u > tt.used[1]) {
				t.Errorf("used %v, want %v", shown(u), tt.used)
			}
			for what, pair := range map[string][2]string{
				"window source":  {str(got.WindowSource), string(tt.source)},
				"trigger source": {str(got.Compaction.TriggerSource), string(tt.triggerBy)},
				"mode":           {string(got.Compaction.Mode), string(tt.mode)},
				"basis":          {str(got.Basis), string(tt.basis)},
				"model":          {str(got.Session.Model), tt.model},
				"parent":         {str(got.Session.ParentID), tt.parent},
			} {
				if pair[1] != "" && pair[0] != pair[1] {
					t.Errorf("%s %q, want %q", what, pair[0], pair[1])
				}
			}
			if tt.warning != "" && !warned(got, tt.warning) {
				t.Errorf("no warning %s in %v", tt.warning, got.Warnings)
			}
		})
	}
}

func shown(n *int64) any {
	if n == nil {
		return "null"
	}
	return *n
}

func str[T ~string](p *T) string {
	if p == nil {
		return ""
	}
	return string(*p)
}

func warned(r meter.Reading, code string) bool {
	for _, w := range r.Warnings {
		if w.Code == code {
			return true
		}
	}
	return false
}
