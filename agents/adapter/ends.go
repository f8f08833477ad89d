package adapter

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"assay/harness"
)

// Ending recognises how an agent ended by its own words, for agents whose exit
// codes do not show it.
type Ending struct {
	// File is an absolute glob of a log in which the words are; "" means what the
	// agent printed.
	File string `yaml:"file"`
	// Match is a regular expression; ^ and $ are those of a line. Its first group,
	// where it has one, is what people are shown.
	Match string `yaml:"match"`
	// End is done, gave_up, context_window, refused or infrastructure.
	End string `yaml:"end"`
}

// Said is what an agent printed, and its logs by absolute path.
type Said struct {
	Output []byte
	Files  map[string][]byte
}

// mostWords bounds the words that are quoted of an agent, in bytes.
const mostWords = 200

// End is how the agent ended, with what shows it: the first of its endings whose
// words are there, else its exit code.
func (c Call) End(code int, said Said) (end, detail string) {
	for _, e := range c.ends {
		if words, ok := e.find(said); ok {
			return e.End, "it says: " + words
		}
	}
	detail = ""
	if code != 0 {
		detail = fmt.Sprintf("exit code %d", code)
	}
	return c.exit(code), detail
}

// exit is what an exit code means.
func (c Call) exit(code int) string {
	if end, ok := c.exits[code]; ok {
		return end
	}
	if code == 0 {
		return "done"
	}
	return "gave_up"
}

// find looks for the words, in the order of the files' names.
func (e Ending) find(said Said) (words string, ok bool) {
	form, err := e.form()
	if err != nil {
		return "", false // cannot be: it was compiled when the adapter was read
	}
	if e.File == "" {
		return first(form, said.Output)
	}
	for _, name := range slices.Sorted(maps.Keys(said.Files)) {
		if !harness.MatchGlob(e.File, name) {
			continue
		}
		if words, ok := first(form, said.Files[name]); ok {
			return words, true
		}
	}
	return "", false
}

func (e Ending) form() (*regexp.Regexp, error) { return regexp.Compile("(?m)" + e.Match) }

// first is the first match, or its first group, as one short line for people.
func first(form *regexp.Regexp, text []byte) (string, bool) {
	groups := form.FindSubmatch(text)
	if groups == nil {
		return "", false
	}
	m := groups[0]
	if len(groups) > 1 && len(groups[1]) > 0 {
		m = groups[1]
	}
	line := strings.Join(strings.Fields(strings.ToValidUTF8(string(m[:min(len(m), mostWords)]), "")), " ")
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, line), true
}

// endProblem is the first mistake in what exit codes and words mean.
func (a Adapter) endProblem() *problem {
	for _, code := range slices.Sorted(maps.Keys(a.Exits)) {
		if p := knownEnd("exits."+strconv.Itoa(code), a.Exits[code]); p != nil {
			return p
		}
	}
	for n, e := range a.Ends {
		at := fmt.Sprintf("ends[%d]", n)
		if p := knownEnd(at+".end", e.End); p != nil {
			return p
		}
		if e.Match == "" {
			return &problem{at, "expected match, a regular expression"}
		}
		if _, err := e.form(); err != nil {
			return &problem{at + ".match", err.Error()}
		}
	}
	return nil
}

func knownEnd(at, end string) *problem {
	if slices.Contains([]string{"done", "gave_up", "context_window", "refused", "infrastructure"}, end) {
		return nil
	}
	return &problem{at, fmt.Sprintf("%q: expected done, gave_up, context_window, refused or infrastructure", end)}
}
