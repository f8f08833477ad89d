package collect

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages"
)

// TestQuote: what fail-to-pass tests said is kept in the order of their names,
// bounded, and without what another run would say otherwise.
func TestQuote(t *testing.T) {
	outcome := func(address string) languages.Outcome {
		o := languages.Outcome{Said: map[string]string{"t::b": "said b"}}
		o.Tests = []bench.Test{
			{ID: "t::c", Message: "<A at 0x" + address + ">\nin /tmp/x-" + address + "/f took 1." + address + " s"},
			{ID: "t::other", Message: "passes without gold"}, {ID: "t::b", Message: " "}, {ID: "t::a"},
		}
		return o
	}
	want := map[string]string{"t::b": "said b", "t::c": "<A at @>\nin /tmp took #"}
	for _, address := range []string{"7001234567", "7009876543"} {
		done := Checked{FailToPass: []string{"t::a", "t::b", "t::c"}, Messages: map[string]string{"old": "gone"}}
		runs{tests: []languages.Outcome{outcome(address), {}}}.quote(&done)
		require.Equal(t, want, done.Messages)
	}
	done := Checked{FailToPass: []string{"t::a"}}
	runs{}.quote(&done)
	require.Nil(t, done.Messages, "nothing ran")

	var o languages.Outcome
	for i := range keptMessages + 5 {
		id := fmt.Sprintf("t::%02d", i)
		o.Tests = append([]bench.Test{{ID: id, Message: strings.Repeat("é", keptBytes)}}, o.Tests...)
		done.FailToPass = append(done.FailToPass, id)
	}
	runs{tests: []languages.Outcome{o}}.quote(&done)
	require.Len(t, done.Messages, keptMessages)
	require.Len(t, done.Messages["t::00"], keptBytes)
	require.NotContains(t, done.Messages, fmt.Sprintf("t::%02d", keptMessages))
}
