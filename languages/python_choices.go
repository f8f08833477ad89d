package languages

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"assay/bench"
)

// mostChoices bounds what is read of a set-up's own decisions.
const mostChoices = 200

// asksChoices reports whether a run returns the decisions that only the
// set-up could make. Runs of submissions do not: their code could write
// others.
func (t *Testbed) asksChoices(v Variant) bool {
	return inferredPython(t.env) && !v.Public && (v.Code == "" || v.Name == "gold")
}

// inferredPython reports whether an environment is made by our own program.
func inferredPython(env bench.Env) bool {
	return slices.ContainsFunc(env.Setup, func(s string) bool { return strings.HasPrefix(s, "/usr/bin/python3 "+pythonSetupFile) })
}

// learn adds the set-up's decisions to those that the repository led to. They
// are the same in every run.
func (t *Testbed) learn(text []byte) {
	if len(text) == 0 {
		return
	}
	t.learning.Lock()
	defer t.learning.Unlock()
	if t.learned == nil {
		t.learned = readChoices(text)
	}
}

// readChoices reads decisions as JSON Lines. Any other line is skipped; equal
// ones count once.
func readChoices(text []byte) []bench.Decision {
	out := []bench.Decision{}
	for line := range bytes.Lines(text) {
		var d bench.Decision
		if json.Unmarshal(line, &d) != nil || d.Field == "" || len(out) == mostChoices {
			continue
		}
		d.Value, d.Why = strings.ToValidUTF8(d.Value, "?"), strings.ToValidUTF8(d.Why, "?")
		if !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	return out
}
