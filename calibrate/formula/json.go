package formula

import (
	"encoding/json"
	"fmt"
)

// In a table each coefficient stands under its name, so that a person can
// read it and a change shows.

// MarshalJSON writes an object of prices by name.
func (l Linear) MarshalJSON() ([]byte, error) {
	m := map[string]float64{}
	for i, name := range LinearNames() {
		m[name] = l[i]
	}
	return json.Marshal(m)
}

// UnmarshalJSON reads what MarshalJSON writes. Each name has to be there, and
// no other.
func (l *Linear) UnmarshalJSON(data []byte) error {
	var m map[string]float64
	if err := json.Unmarshal(data, &m); err != nil {
		return fmt.Errorf("linear: %w", err)
	}
	for i, name := range LinearNames() {
		price, ok := m[name]
		if !ok || len(m) != Prices {
			return fmt.Errorf("linear: %d prices, %s among them: %t", len(m), name, ok)
		}
		l[i] = price
	}
	return nil
}

const constant = "1" // the name of the first term

// MarshalJSON writes an object: for each ratio its own coefficient and those
// of half its products with the ratios up to itself.
func (k Correction) MarshalJSON() ([]byte, error) {
	m := map[string][]float64{constant: k[:1]}
	at := 1
	for i, name := range ratioNames {
		m[name] = k[at : at+i+2]
		at += i + 2
	}
	return json.Marshal(m)
}

// UnmarshalJSON reads what MarshalJSON writes, and nothing else.
func (k *Correction) UnmarshalJSON(data []byte) error {
	var m map[string][]float64
	if err := json.Unmarshal(data, &m); err != nil {
		return fmt.Errorf("correction: %w", err)
	}
	if len(m) != 1+ratios || len(m[constant]) != 1 {
		return fmt.Errorf("correction: %d ratios", len(m)-1)
	}
	k[0] = m[constant][0]
	at := 1
	for i, name := range ratioNames {
		row := m[name]
		if len(row) != i+2 {
			return fmt.Errorf("correction: %d coefficients of %s, want %d", len(row), name, i+2)
		}
		at += copy(k[at:], row)
	}
	return nil
}
