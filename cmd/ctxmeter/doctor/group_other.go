//go:build !unix

package doctor

import "os/exec"

// endTogether can do nothing here: what the command starts may outlive it.
func endTogether(*exec.Cmd) {}

// endRest can do nothing, either.
func endRest(*exec.Cmd, string) {}
