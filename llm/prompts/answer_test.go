package prompts

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReadAnswers(t *testing.T) {
	tests := map[string]struct{ answer, category, kind string }{
		"as asked":          {"Category: C\nKind: Partial\n", "C", "Partial"},
		"with thoughts":     {"Category: A would be a guess.\nHm.\n\nCategory: B\nKind: Incorrect", "B", "Incorrect"},
		"markdown":          {"**Category:** `D`\r\n- Kind: x\n**Kind**: unnecessary.\n", "D", "Unnecessary"},
		"with its name":     {"category: e. Guard\nkind: PARTIAL", "E", "Partial"},
		"no such letter":    {"Category: G\nKind: Other", "", ""},
		"no line":           {"C, I think", "", ""},
		"two letters":       {"Category: A or B\nKind: Partial or Incorrect", "", ""},
		"empty":             {"", "", ""},
		"inside a sentence": {"The category: A", "", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			category, err := ReadCategory(tt.answer)
			require.Equal(t, tt.category, category)
			require.Equal(t, tt.category == "", err != nil)
			kind, err := ReadKind(tt.answer)
			require.Equal(t, tt.kind, kind)
			require.Equal(t, tt.kind == "", err != nil)
		})
	}
}

func TestReadCause(t *testing.T) {
	for answer, want := range map[string]string{
		"Cause: installation\nReason: my_module is missing.": "installation my_module is missing.",
		"**Cause:** tool_chain\n**Reason:** too new":         "tool_chain too new",
		"Cause: Tool chain.\nReason: `x` is too new":         "tool_chain `x` is too new",
		"I think so.\ncause: TESTING":                        "testing ",
		"Cause: undecidable\n":                               "undecidable ",
	} {
		cause, reason, err := ReadCause(answer)
		require.NoError(t, err, answer)
		require.Equal(t, want, cause+" "+reason)
	}
	for _, answer := range []string{"", "Cause:", "Cause: weather", "installation"} {
		_, _, err := ReadCause(answer)
		require.Error(t, err, answer)
	}
}

func FuzzReadAnswers(f *testing.F) {
	f.Add("Category: C\nKind: Partial\n")
	f.Add("**Category:** `D`\r\n")
	f.Fuzz(func(t *testing.T, answer string) {
		if category, err := ReadCategory(answer); err == nil {
			require.Regexp(t, "^[A-F]$", category)
		}
		if kind, err := ReadKind(answer); err == nil {
			require.Contains(t, []string{"Partial", "Unnecessary", "Incorrect"}, kind)
		}
	})
}
