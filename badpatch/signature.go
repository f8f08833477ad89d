package badpatch

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"

	"assay/bench"
)

// What differs from run to run, or only because a line moved, tells nothing.
// Other numbers stay: a wrong value is what tells two mistakes apart.
var (
	addresses   = regexp.MustCompile(`0x[0-9a-fA-F]+|@[0-9a-f]{5,16}\b`)
	moments     = regexp.MustCompile(`\b\d{4}-\d\d-\d\d[T ]?|\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?`)
	durations   = regexp.MustCompile(`\b\d+(?:\.\d+)?\s?(?:ns|us|µs|ms|s|sec|seconds)\b`)
	positions   = regexp.MustCompile(`(\.(?:py|java|cc|cpp|cxx|h|hpp)):\d+(?::\d+)?|\bline \d+`)
	temporaries = regexp.MustCompile(`/(?:tmp|var/tmp|assay)/[\w./-]+`)
	whitespace  = regexp.MustCompile(`\s+`)
)

// signature is a digest of what failing tests say.
func signature(state bench.RunState, failing []bench.Test) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n", state)
	for _, t := range failing {
		fmt.Fprintf(h, "%s\x00%s\x00%s\n", t.ID, t.Status, masked(t.Message))
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

func masked(message string) string {
	for _, m := range []struct {
		re *regexp.Regexp
		to string
	}{{temporaries, "/tmp"}, {addresses, "@"}, {moments, "#"}, {durations, "#"}, {positions, "$1:#"}, {whitespace, " "}} {
		message = m.re.ReplaceAllString(message, m.to)
	}
	return strings.TrimSpace(message)
}
