package tasks

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"

	"assay/bench"
)

// What differs from run to run, or only because a line moved, carries no
// information. Other numbers stay: a wrong value distinguishes two mistakes.
// So do short hex numbers, dates without a time, whole numbers of seconds,
// and the lines that a message counts in its own input: they are values as a
// rule.
var (
	addresses   = regexp.MustCompile(`(\bat )0x[0-9a-fA-F]+|0x[0-9a-fA-F]{6,}|@[0-9a-f]{5,16}\b|<local\d+>`)
	moments     = regexp.MustCompile(`\b` + day + `[T ]` + clock + `|\b` + clock + ` ` + day + `\b`)
	durations   = regexp.MustCompile(`\b\d+\.\d+\s?(?:ns|us|µs|ms|s|sec|seconds)\b|(\b(?:took|in|after|within) |\()\d+\s?(?:ns|us|µs|ms|s|sec|seconds)\b`)
	positions   = regexp.MustCompile(`(\.(?:py|java|cc|cpp|cxx|h|hpp)):\d+(?::\d+)?|(, )line \d+`)
	temporaries = regexp.MustCompile(`/(?:tmp|var/tmp|assay)/[\w./-]+`)
	whitespace  = regexp.MustCompile(`\s+`)
)

const (
	day   = `\d{4}-\d\d-\d\d`
	clock = `\d{1,2}:\d\d:\d\d(?:[.,]\d+)?`
)

// Signature is a digest of what failing tests say: it distinguishes ways of
// failing the same tests. Addresses, times and places are left out.
func Signature(language string, state bench.RunState, failing []bench.Test) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n", state)
	for _, t := range failing {
		fmt.Fprintf(h, "%s\x00%s\x00%s\n", t.ID, t.Status, masked(said(language, t.Message)))
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

func masked(message string) string {
	message = positions.ReplaceAllString(Stable(message), "$1$2:#")
	return strings.TrimSpace(whitespace.ReplaceAllString(message, " "))
}

// Stable is a message without what differs from run to run: addresses, times,
// durations and temporary paths. Lines and places stay.
func Stable(message string) string {
	for _, m := range []struct {
		re *regexp.Regexp
		to string
	}{{temporaries, "/tmp"}, {addresses, "${1}@"}, {moments, "#"}, {durations, "${1}#"}} {
		message = m.re.ReplaceAllString(message, m.to)
	}
	return message
}

var (
	spoken   = regexp.MustCompile(`^E\s|^[\w.]+(?:Error|Exception|Exit|Interrupt|Warning)\b`)
	newlines = regexp.MustCompile(`\r?\n`)
)

// said leaves of a message what the test saw. Runners quote the code that
// they passed through: with that, patches that behave alike would differ
// wherever their text does.
func said(language, message string) string {
	m := mannersOf(language)
	var kept []string
	quoted := false
	for i, l := range newlines.Split(message, -1) {
		if m.excerpt != nil && !quoted && m.excerpt.MatchString(l) {
			if i > 0 {
				break // the message is before it; what follows is cut somewhere
			}
			quoted = true
		}
		switch {
		case m.frame != nil && m.frame.MatchString(l):
		case quoted && !spoken.MatchString(l):
		default:
			kept = append(kept, l)
		}
	}
	if out := strings.TrimSpace(strings.Join(kept, "\n")); out != "" {
		return out
	}
	return message
}
