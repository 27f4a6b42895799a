package codex

// model is a model as the client's built-in catalogue has it: the window and
// the most that the configuration may set it to, in tokens. The client shows
// and records 95 % of the window.
type model struct{ window, most int64 }

// models is the catalogue of codex-cli 0.171.0; the older models are from
// those of 0.80, 0.111, 0.130 and 0.150.1. gpt-5 is left out: its window was
// 128,000 in one of them and 272,000 in others.
var models = map[string]model{
	"gpt-6.2-sol":   {500_000, 872_000},
	"gpt-6.1-sol":   {500_000, 872_000},
	"gpt-6.1-terra": {500_000, 872_000},

	"gpt-6.2-astra":            {272_000, 872_000},
	"gpt-6-astra":              {272_000, 872_000},
	"gpt-6-sol":                {272_000, 872_000},
	"gpt-6-luna":               {272_000, 872_000},
	"gpt-5.6-sol":              {272_000, 872_000},
	"gpt-5.6-terra":            {272_000, 872_000},
	"gpt-5.6-luna":             {272_000, 872_000},
	"codex-auto-review":        {272_000, 872_000},
	"gpt-daybreak-blue-latest": {272_000, 872_000},
	"gpt-daybreak-red-latest":  {372_000, 372_000},
	"gpt-5.5":                  {272_000, 272_000},
	"gpt-5.4":                  {272_000, 1_000_000},
	"gpt-5.3-codex":            {272_000, 272_000},
	"gpt-5.2":                  {272_000, 272_000},
	"gpt-5.2-codex":            {272_000, 272_000},
	"gpt-5.1":                  {272_000, 272_000},
	"gpt-5.1-codex":            {272_000, 272_000},
	"gpt-5.1-codex-mini":       {272_000, 272_000},
	"gpt-5.1-codex-max":        {272_000, 272_000},
	"gpt-5-codex":              {272_000, 272_000},
	"gpt-oss-120b":             {128_000, 128_000},
	"gpt-oss-20b":              {128_000, 128_000},
}

// shown is what the client makes of a window: floor(95 %).
func shown(window int64) int64 { return window * 95 / 100 }

// limitOf is where the client compacts on its own if nothing lowers it: at
// 90 % of the window, which is 18/19 of what it shows (exact for every window
// observed: 244,800 of 258,400, 450,000 of 475,000, 784,800 of 828,400).
func limitOf(shown int64) int64 { return shown/19*18 + shown%19*18/19 }
