package style

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// outsider is a linter from outside assay, with a mark of silence and a
// configuration of its own.
type outsider struct{ Linter }

func (outsider) About() About { return About{Name: "outsider", Language: "python"} }

func (outsider) Rules() (RuleFile, error) {
	return RuleFile{Linter: "outsider", Names: []string{"odd"}}, nil
}

func (outsider) ConfigPath(path string) ConfigKind {
	if path == ".outsider" {
		return OwnConfig
	}
	return NoConfig
}

func (outsider) Neutralise(path string, src []byte) ([]byte, []Suppression) {
	var found []Suppression
	for range bytes.Count(src, []byte("# hush")) {
		found = append(found, Suppression{Path: path, Kind: "outsider", Names: []string{"odd"}})
	}
	return bytes.ReplaceAll(src, []byte("# hush"), []byte("# husk")), found
}

// TestCheatsOnAnOutsider: its marks and its configuration are reported as
// those of assay's linters are.
func TestCheatsOnAnOutsider(t *testing.T) {
	kinds := func(l Linter, before, after map[string][]byte) []string {
		var out []string
		for _, f := range Cheats(Edit{Change: Change{Language: "python", Before: before, After: after}, Linters: []Linter{l}}) {
			if IsCheat(f) {
				out = append(out, f.Kind)
			}
		}
		return out
	}
	plain := map[string][]byte{"a.py": []byte("x = 1\n")}
	hushed := map[string][]byte{"a.py": []byte("x = 1  # hush\n")}
	require.Equal(t, []string{FlagSuppression}, kinds(outsider{}, plain, hushed))
	require.Empty(t, kinds(outsider{}, hushed, hushed), "it stood there before")
	require.Empty(t, kinds(nil, plain, hushed), "other linters do not know the mark")
	pylint := map[string][]byte{"a.py": []byte("x = 1  # pylint: disable=all\n")}
	require.Equal(t, []string{FlagSuppression}, kinds(outsider{}, plain, pylint))
	configured := map[string][]byte{"a.py": []byte("x = 1\n"), ".outsider": []byte("off\n")}
	require.Equal(t, []string{FlagConfig}, kinds(outsider{}, plain, configured))
	require.Empty(t, kinds(nil, plain, configured))
	clean, found := neutralised([]Linter{outsider{}}, "python", "a.py", []byte("x = 1  # hush # pylint: disable=all\n"))
	require.Len(t, found, 2)
	require.NotContains(t, string(clean), "hush")
	require.NotContains(t, string(clean), "pylint:")
}

func TestDefaultRules(t *testing.T) {
	f, err := DefaultRules(outsider{})
	require.NoError(t, err)
	require.Equal(t, []string{"odd"}, f.Names)
	_, err = DefaultRules(nil)
	require.EqualError(t, err, "the linter has no rule list")
	set := NewLinters(outsider{})
	require.ErrorContains(t, set.Register(outsider{}), `linter "outsider" is registered already`)
	require.Equal(t, bench.RuleSet{Names: []string{"odd"}}, f.Set())
}
