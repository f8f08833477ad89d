package review

import (
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func seedReviews(f *testing.F) {
	files, err := filepath.Glob("testdata/golden/*.txt")
	require.NoError(f, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(string(data))
	}
	for _, text := range []string{"", "`", "```\n", "~~~~\n```\n~~~~", "line 1-9", "@@ -1 +1 @@", "a``b`c``", "\xff`\xfe`", "counts.merge(item, number", "İİİ İ", "> ```x\n+ a\n> ```", "{\"category\":\"A\"}", "<think></think>"} {
		f.Add(text)
	}
}

func FuzzCheck(f *testing.F) {
	seedReviews(f)
	var subjects []*Subject
	for _, name := range caseNames(f) {
		subjects = append(subjects, subject(f, name))
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range subjects {
			leaks := s.Leaks(text)
			require.Equal(t, leaks, s.Leaks(text))
			for _, l := range leaks {
				require.Positive(t, l.Word)
				require.LessOrEqual(t, l.Word, len(text))
			}
			Measure([]Case{{s, s.Deterministic(L0)}})
		}
		for _, c := range codeSpans(text) {
			require.True(t, 0 <= c.start && c.start <= c.end && c.end <= len(text))
		}
		mentionsOf(text)
	})
}

func FuzzAnswer(f *testing.F) {
	seedReviews(f)
	f.Fuzz(func(t *testing.T, answer string) {
		text := draft(answer)
		require.True(t, utf8.ValidString(text))
		require.LessOrEqual(t, proseWords(text), len(text))
	})
}

func FuzzLex(f *testing.F) {
	for _, name := range caseNames(f) {
		data, err := os.ReadFile(filepath.Join("testdata", "cases", name+".txtar"))
		require.NoError(f, err)
		f.Add(data)
	}
	f.Add([]byte("R\"x(a)x\" '\\''/* \n*/ \"\"\"a\n\"\"\" f'{x}' 0x1f 1_0.5f //"))
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, d := range []dialect{plain, hashed, pythonLike, cLike} {
			last := 1
			for _, tok := range lex(src, d) {
				require.GreaterOrEqual(t, tok.line, last)
				require.True(t, tok.class == literal || tok.text != "")
				last = tok.line
			}
		}
		scan(string(src))
	})
}
