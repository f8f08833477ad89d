package reports

import "strconv"

// atoi reads digits; anything else, or too long to be a count, is 0.
func atoi(s string) int {
	if !digits(s) || len(s) > 9 {
		return 0
	}
	n, _ := strconv.Atoi(s)
	return n
}

func itoa(n int) string { return strconv.Itoa(n) }
