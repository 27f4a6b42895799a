package wording

// Counted is a number of things, as in "1 file" and "2 files".
func Counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return Number(int64(n)) + " " + what
}
