package codex

import (
	"fmt"
	"testing"

	"github.com/ctxmeter/ctxmeter/meter"
)

// What is left of a long output, as codex-cli 0.171.0 recorded it unless the
// version says otherwise.
func TestReadLimit(t *testing.T) {
	for _, tt := range []struct {
		model, version string
		setting        int64 // tool_output_token_limit
		bytes          int64
	}{
		{"gpt-5.5", "0.171.0", 0, 40_000},
		{"gpt-5.5", "0.171.0", 5000, 20_000},
		{"gpt-5.5", "0.171.0", 30_000, 40_000}, // the model would have to ask for more
		{"gpt-6.1-sol", "0.171.0", 0, 40_000},
		{"gpt-6.1-sol", "0.171.0", 5000, 40_000},
		{"gpt-5.2", "0.171.0", 0, 10_000}, // no longer in the catalogue
		{"gpt-5.2", "0.171.0", 5000, 20_000},
		{"gpt-5.2", "0.171.0", 30_000, 40_000},
		{"gpt-5.3-codex", "0.171.0", 0, 10_000},
		{"gpt-5.3-codex", "0.130.0", 0, 40_000},
		{"gpt-5.2", "0.80.0", 0, 10_000},
		{"gpt-5.4", "0.126.0-alpha.8", 0, 40_000},
		{"gpt-5-codex", "0.40.0", 0, 10_000},
		{"gpt-5.4", "", 0, 10_000},
		{"someone-elses", "0.171.0", 0, 10_000},
		{"", "", 0, 10_000},
	} {
		text := ""
		if tt.setting > 0 {
			text = fmt.Sprintf("tool_output_token_limit = %d\n", tt.setting)
		}
		l := readLimit(parseSettings(text), meter.State{Model: tt.model, Version: tt.version})
		if l.Ends != tt.bytes || l.Bytes != 0 || l.Tokens != 0 || l.Numbered {
			t.Errorf("%+v: %d bytes", tt, l.Ends)
		}
	}
}

func TestEveryModelOfCodeModeIsInTheCatalogue(t *testing.T) {
	for model := range codeMode {
		if _, ok := models[model]; !ok {
			t.Error(model)
		}
	}
}
