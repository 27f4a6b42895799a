package config

import "path/filepath"

// Places are the program's own files and folders. "" is "there is none": no
// home is known.
type Places struct {
	File  string // the configuration
	Cache string // folder of the sidecars
	State string // folder of what was learned
}

// FindPlaces tells where the program's files are on goos: where the XDG
// variables say, else the platform's own places below home. As the XDG
// specification asks, a relative folder in a variable is ignored.
func FindPlaces(getenv func(string) string, home, goos string) Places {
	under := func(variable string, fallback ...string) string {
		if dir := getenv(variable); filepath.IsAbs(dir) {
			return filepath.Join(dir, "ctxmeter")
		}
		if fallback[0] == "" {
			return ""
		}
		return filepath.Join(append(fallback, "ctxmeter")...)
	}
	var p Places
	switch goos {
	case "windows":
		p.File = under("XDG_CONFIG_HOME", getenv("AppData"))
		p.Cache = under("XDG_CACHE_HOME", getenv("LocalAppData"))
		p.State = under("XDG_STATE_HOME", getenv("LocalAppData"))
		if p.State != "" && p.State == p.Cache {
			p.Cache = filepath.Join(p.Cache, "cache")
		}
	case "darwin", "ios":
		p.File = under("XDG_CONFIG_HOME", home, "Library", "Application Support")
		p.Cache = under("XDG_CACHE_HOME", home, "Library", "Caches")
		p.State = under("XDG_STATE_HOME", home, "Library", "Application Support")
	default:
		p.File = under("XDG_CONFIG_HOME", home, ".config")
		p.Cache = under("XDG_CACHE_HOME", home, ".cache")
		p.State = under("XDG_STATE_HOME", home, ".local", "state")
	}
	if p.File != "" {
		p.File = filepath.Join(p.File, "config.toml")
	}
	return p
}
