package tail

import "time"

// Time returns the moment that f states: RFC 3339, as the clients write it, or
// seconds or milliseconds since 1970 by foreign writers, as public reports have it.
// The zero time is unknown.
func (r *Record) Time(f Field) time.Time {
	if n, ok := r.Int(f); ok {
		const milliseconds = 1e11 // larger numbers are
		if n > milliseconds {
			return plausible(time.UnixMilli(n))
		}
		return plausible(time.Unix(n, 0))
	}
	var t time.Time
	if t.UnmarshalText(r.Raw(f)) != nil {
		return time.Time{}
	}
	return plausible(t)
}

// plausible drops moments at which nobody ran an agent.
func plausible(t time.Time) time.Time {
	if t.Year() <= 1970 || t.Year() >= 2200 {
		return time.Time{}
	}
	return t.UTC()
}
