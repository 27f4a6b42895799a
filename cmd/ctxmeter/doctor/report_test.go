package doctor

import (
	"io"
	"testing"
)

func TestDoctorShortensTheHome(t *testing.T) {
	for text, want := range map[string]string{
		"/home/ann": "~", "in /home/ann/x and '/home/ann/y'": "in ~/x and '~/y'", "--dir=/home/ann": "--dir=~",
		"/home/anna": "/home/anna", "/home/ann-2/x": "/home/ann-2/x", "/mnt/home/ann/x": "/mnt/home/ann/x", "/home/": "/home/",
	} {
		if got := withoutHome(text, "/home/ann"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A program of somebody else that prints without end takes no memory.
func TestDoctorKeepsTheBeginningOfAnOutput(t *testing.T) {
	var o firstOutput
	n, err := io.Copy(&o, io.LimitReader(endless{}, 1<<30))
	if err == nil || len(o.data) != mostTrialOutput || n > 2*mostTrialOutput {
		t.Errorf("%d bytes kept of %d, %v", len(o.data), n, err)
	}
}

type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }
