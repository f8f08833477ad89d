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
