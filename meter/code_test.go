package meter

import (
	"reflect"
	"testing"
	"time"
)

func fullState() State {
	s := fold(
		say(1, 0, 40), reply(2, 1, 7, 1000, 50), result(3, 2, 11), attach(4, 3, 5),
		boundary(5, true, 1050, 200), summary(6, 5, 80), at(reply(7, 6, 8, 400, 5), time.Date(2026, 11, 30, 1, 2, 3, 4_000_000, time.UTC)),
		Event{Kind: KindLeaf, Parent: 7}, Event{Kind: KindLink, ID: 8, Parent: 7, Version: "2.1.197", Project: "/home/dev/ü", Window: 5},
	)
	s.Pin, s.From, s.Offset, s.Damaged = 3, 4, 1<<40, 2
	s.Pinned = &s.Clone().Nodes[0]
	s.Line = line{Base: 3, Key: 1 << 63, Earlier: 9, Started: true, Fresh: Text{Images: 3}}
	return s
}

func TestAStoredStateComesBackAsItWas(t *testing.T) {
	for name, s := range map[string]State{"zero": {}, "full": fullState()} {
		b, err := s.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		var back State
		if err := back.UnmarshalBinary(b); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !reflect.DeepEqual(back, s) {
			t.Errorf("%s:\n got %+v\nwant %+v", name, back, s)
		}
	}
}

// Every field of every stored type has to be in the walk: one that is set and
// does not come back was forgotten.
func TestEveryFieldIsStored(t *testing.T) {
	var s State
	populate(reflect.ValueOf(&s).Elem(), 1)
	b, _ := s.AppendBinary(nil)
	var back State
	if err := back.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, s) {
		t.Errorf("\n got %+v\nwant %+v", back, s)
	}
}

func populate(v reflect.Value, n int64) {
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Unix(0, n).UTC()))
			return
		}
		for i := range v.NumField() {
			populate(v.Field(i), n+int64(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		populate(v.Index(0), n+1)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		populate(v.Elem(), n+1)
	case reflect.Int64:
		v.SetInt(n)
	case reflect.Uint64, reflect.Uint8:
		v.SetUint(uint64(n) % 200)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString("s")
	}
}

func FuzzUnmarshalBinary(f *testing.F) {
	b, _ := fullState().AppendBinary(nil)
	f.Add(b)
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		var s State
		if s.UnmarshalBinary(data) != nil {
			return
		}
		s.Context() // whatever it holds, it can be used
		s.Fold(say(1, 2, 3))
		s.Fold(reply(4, 1, 9, 10, 1))
	})
}
