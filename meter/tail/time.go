package tail

import "time"

// Time returns the moment that f states: RFC 3339, as the clients write it, or
// seconds or milliseconds since 1970 by foreign writers (public report G13).
// The zero time is unknown.
func (r *Record) Time(f Field) time.Time {
	if n, ok := r.Int(f); ok {
		const milliseconds, tooLate = 1e11, 1e14
		switch {
		case n <= 0 || n > tooLate:
			return time.Time{}
		case n > milliseconds:
			return time.UnixMilli(n).UTC()
		}
		return time.Unix(n, 0).UTC()
	}
	var t time.Time
	if t.UnmarshalText(r.Raw(f)) != nil {
		return time.Time{}
	}
	return t.UTC()
}
