//go:build unix && !linux

package doctor

// endWithHome can do nothing here: what has left its group outlives the trial.
func endWithHome(string) {}
