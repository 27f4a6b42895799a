package transcript

import (
	"github.com/ctxmeter/ctxmeter/meter"
	"github.com/ctxmeter/ctxmeter/meter/tail"
)

// Decoder turns the records of one client into events. It is made for one
// session and keeps nothing from one record to the next: all memory of a scan
// is in meter.State, so that a scan can stop and go on anywhere.
type Decoder interface {
	// Schema names the fields that the decoder reads.
	Schema() *tail.Schema
	// Handler receives records and emits their events, in order.
	Handler(emit func(meter.Event)) tail.Handler
}
