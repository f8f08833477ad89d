package modelsource

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch"
	"assay/badpatch/badpatchtest"
	"assay/badpatch/category"
	"assay/badpatch/mutation"
	"assay/llm"
	"assay/llm/llmtest"
)

func TestCategorise(t *testing.T) {
	f := badpatchtest.Fixtures(t)[0]
	s := f.Subject(t)
	s.Instance.ProblemStatement = "Names must be cleaned."
	own := badpatchtest.Collect(t, mutation.Operators{}, s)[0]
	bare := own
	bare.Category, bare.Kind = "", ""
	ruled, kind := category.Of(s, own.Patch)
	good := "Category: E\nKind: Unnecessary"
	for name, tt := range map[string]struct {
		candidate badpatch.Candidate
		script    []llmtest.Answer
		want      badpatch.Label
	}{
		"at once":          {own, []llmtest.Answer{{Text: good}}, badpatch.Label{Category: badpatch.Guard, Kind: badpatch.KindUnnecessary, Fallback: ""}},
		"in bold":          {own, []llmtest.Answer{{Text: "I think:\n**Category:** B.\n**Kind:** partial\n"}}, badpatch.Label{Category: badpatch.Partial, Kind: badpatch.KindPartial, Fallback: ""}},
		"then":             {own, []llmtest.Answer{{Text: "It is wrong."}, {Text: good}}, badpatch.Label{Category: badpatch.Guard, Kind: badpatch.KindUnnecessary, Fallback: ""}},
		"empty, then":      {own, []llmtest.Answer{{Text: " "}, {Text: good}}, badpatch.Label{Category: badpatch.Guard, Kind: badpatch.KindUnnecessary, Fallback: ""}},
		"never":            {own, []llmtest.Answer{{Text: "Category: Z"}, {Text: "Category: A"}}, badpatch.Label{Category: own.Category, Kind: own.Kind, Fallback: "no line \"Kind: Partial\", Unnecessary or Incorrect in the answer (found \"\")"}},
		"never, by rule":   {bare, []llmtest.Answer{{Text: "Kind: Partial"}, {Text: "Kind: Partial"}}, badpatch.Label{Category: ruled, Kind: kind, Fallback: "no line \"Category: A\" to F in the answer (found \"\")"}},
		"refused":          {own, []llmtest.Answer{trouble(llm.Refused)}, badpatch.Label{Category: own.Category, Kind: own.Kind, Fallback: byModel}},
		"too long":         {bare, []llmtest.Answer{trouble(llm.TooLong)}, badpatch.Label{Category: ruled, Kind: kind, Fallback: tooLong}},
		"unread, too long": {own, []llmtest.Answer{{Text: "?"}, trouble(llm.TooLong)}, badpatch.Label{Category: own.Category, Kind: own.Kind, Fallback: tooLong}},
	} {
		t.Run(name, func(t *testing.T) {
			a, fake := asker(t, tt.script...)
			got, err := a.Categorise(t.Context(), s, tt.candidate)
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
			require.Empty(t, fake.Unused())
			first := fake.Requests()[0].Messages[0].Text
			require.Contains(t, first, "Names must be cleaned.")
			require.Contains(t, first, s.Instance.Patch)
			require.Contains(t, first, tt.candidate.Patch)
		})
	}
	a, fake := asker(t, llmtest.Answer{Text: "It is wrong."}, llmtest.Answer{Text: good})
	_, err := a.Categorise(t.Context(), s, own)
	require.NoError(t, err)
	require.Len(t, fake.Requests()[1].Messages, 3)
	require.Contains(t, fake.Requests()[1].Messages[2].Text, "That cannot be read: no line")
	for _, class := range fatalClasses() {
		a, _ := asker(t, trouble(class))
		_, err := a.Categorise(t.Context(), s, own)
		var fatal *FatalError
		require.ErrorAs(t, err, &fatal)
	}
}
