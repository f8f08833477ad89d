package languages

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

func TestReadChoices(t *testing.T) {
	line := `{"field": "setup", "value": "without x", "why": "at set-up: no wheel"}` + "\n"
	want := bench.Decision{Field: "setup", Value: "without x", Why: "at set-up: no wheel"}
	require.Equal(t, []bench.Decision{want}, readChoices([]byte(line+"no JSON\n{}\n"+line)))
	require.Empty(t, readChoices(nil))
	many := ""
	for range 300 {
		many += strings.Replace(line, "x", strings.Repeat("x", len(many)%977), 1)
	}
	require.LessOrEqual(t, len(readChoices([]byte(many))), mostChoices)
}

func FuzzReadChoices(f *testing.F) {
	f.Add([]byte(`{"field": "setup", "value": "a"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		require.LessOrEqual(t, len(readChoices(text)), mostChoices)
	})
}

func TestSetupsDecisionsOfBaseAndGoldAlone(t *testing.T) {
	env, _, err := pythonLanguage{}.Defaults(bench.Env{}, Facts{Repo: smallRepo{"setup.py": "x"}})
	require.NoError(t, err)
	bed := &Testbed{env: env, instance: &bench.Instance{Language: Python}, chosen: []bench.Decision{{Field: "python"}}}
	require.True(t, bed.asksChoices(Variant{Name: "base"}))
	require.True(t, bed.asksChoices(Variant{Name: "gold", Code: "x"}))
	require.False(t, bed.asksChoices(Variant{Name: "submission", Code: "x"}))
	bed.learn([]byte(`{"field": "setup", "value": "without a"}`))
	bed.learn([]byte(`{"field": "setup", "value": "without b"}`))
	require.Equal(t, []bench.Decision{{Field: "python"}, {Field: "setup", Value: "without a"}}, bed.Decisions())
}
