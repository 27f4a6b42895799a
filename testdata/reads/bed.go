package garden

import (
	"fmt"
	"strings"
)

// Bed is a strip of ground with one kind of plant.
type Bed struct {
	Plant string  // its name in the catalogue
	Rows  int     // of seedlings
	Depth float64 // centimetres
}

// Water says how many litres a bed takes in a week without rain.
func (b Bed) Water(dry bool) (litres float64, err error) {
	if b.Rows < 0 || b.Depth <= 0.5 {
		return 0, fmt.Errorf("bed %q: %d rows at %.1f cm", b.Plant, b.Rows, b.Depth)
	}
	litres = 1.25*float64(b.Rows) + 0.08*b.Depth
	if dry && !strings.HasPrefix(b.Plant, "sedum") {
		litres *= 1.75
	}
	return litres, nil
}
