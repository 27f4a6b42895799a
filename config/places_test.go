package config_test

import (
	"path/filepath"
	"testing"

	"github.com/ctxmeter/ctxmeter/config"
)

func TestPlaces(t *testing.T) {
	abs := t.TempDir()
	for _, tt := range []struct {
		name, goos, home string
		env              map[string]string
		want             config.Places
	}{
		{"linux", "linux", abs, nil, config.Places{
			File:  filepath.Join(abs, ".config/ctxmeter/config.toml"),
			Cache: filepath.Join(abs, ".cache/ctxmeter"), State: filepath.Join(abs, ".local/state/ctxmeter"),
		}},
		{"xdg", "linux", "", map[string]string{"XDG_CONFIG_HOME": abs, "XDG_CACHE_HOME": abs}, config.Places{
			File: filepath.Join(abs, "ctxmeter/config.toml"), Cache: filepath.Join(abs, "ctxmeter"),
		}},
		{"relative xdg is ignored", "linux", "", map[string]string{"XDG_CACHE_HOME": "x"}, config.Places{}},
		{"mac", "darwin", abs, nil, config.Places{
			File:  filepath.Join(abs, "Library/Application Support/ctxmeter/config.toml"),
			Cache: filepath.Join(abs, "Library/Caches/ctxmeter"), State: filepath.Join(abs, "Library/Application Support/ctxmeter"),
		}},
		{"windows", "windows", abs, map[string]string{"AppData": filepath.Join(abs, "r"), "LocalAppData": filepath.Join(abs, "l")}, config.Places{
			File:  filepath.Join(abs, "r/ctxmeter/config.toml"),
			Cache: filepath.Join(abs, "l/ctxmeter/cache"), State: filepath.Join(abs, "l/ctxmeter"),
		}},
		{"no home", "linux", "", nil, config.Places{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := config.FindPlaces(func(name string) string { return tt.env[name] }, tt.home, tt.goos)
			if got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}
