//go:build !unix && !windows

package claudecode

func lookUp(int) pidState { return pidState{} }

func lookUpKin(int) pidState { return pidState{} }
