package style

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

const ruleList = `# A list.
linter: pmd
version: 7.27.0
source: table 6
rules:
  - OnlyOneReturn
  - AvoidCatchingNPE
  - UnnecessaryConstructor
aliases:
  OldReturn: OnlyOneReturn
corrected:
  OnlyOneRetum: OnlyOneReturn
gone:
  LoosePackageCoupling: needs a property
zealous:
  - OnlyOneReturn
conflicts:
  - [OnlyOneReturn, UnnecessaryConstructor]
options:
  AvoidCatchingNPE:
    depth: "3"
config: |
  <ruleset/>
`

func TestParseRules(t *testing.T) {
	f := must(ParseRules("pmd.yaml", []byte(ruleList)))(t)
	require.Equal(t, Rules{
		Linter: "pmd", Names: []string{"AvoidCatchingNPE", "OnlyOneReturn", "UnnecessaryConstructor"},
		Aliases: map[string]string{"OldReturn": "OnlyOneReturn"}, Options: map[string]map[string]string{"AvoidCatchingNPE": {"depth": "3"}},
		Config: []byte("<ruleset/>\n"),
	}, f.Rules())
	require.Equal(t, []string{"OnlyOneReturn"}, f.Zealous)
	require.Equal(t, "needs a property", f.Gone["LoosePackageCoupling"])
	require.Equal(t, bench.RuleSet{Names: f.Rules().Names, Options: f.Options, Config: "<ruleset/>\n"}, f.Set())
}

func TestParseRulesErrors(t *testing.T) {
	cases := map[string]struct{ pairs []string }{
		"r.yaml:1: linter: expected the name of a linter":             {[]string{"linter: pmd", "linter: ''"}},
		"r.yaml:7: rules: \"a b\": expected the name of one rule":     {[]string{"  - AvoidCatchingNPE\n", "  - a b\n"}},
		"r.yaml:7: rules: OnlyOneReturn is listed twice":              {[]string{"  - AvoidCatchingNPE\n", "  - OnlyOneReturn\n"}},
		"zealous: Nope is not one of the rules":                       {[]string{"zealous:\n  - OnlyOneReturn", "zealous:\n  - Nope"}},
		"r.yaml:10: aliases: OldReturn: Nope is not one of the rules": {[]string{"OldReturn: OnlyOneReturn", "OldReturn: Nope"}},
		"r.yaml:17: conflicts: expected pairs of rules, got 1":        {[]string{"[OnlyOneReturn, UnnecessaryConstructor]", "[OnlyOneReturn]"}},
		"unknown field \"sourced\"":                                   {[]string{"source:", "sourced:"}},
		"r.yaml:5: rules: expected a list of rules":                   {[]string{"rules:\n  - OnlyOneReturn\n  - AvoidCatchingNPE\n  - UnnecessaryConstructor\n", "rules: []\n"}},
		"r.yaml: [1:10] tab character":                                {[]string{"# A list.\n", "\tbad"}},
	}
	for want, c := range cases {
		t.Run(want, func(t *testing.T) {
			_, err := ParseRules("r.yaml", []byte(edit(t, ruleList, c.pairs...)))
			require.Error(t, err)
			require.Contains(t, err.Error(), want)
		})
	}
}

func TestLoadRules(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.yaml")
	_, err := LoadRules(path)
	require.ErrorContains(t, err, "reading rules")
	require.NoError(t, os.WriteFile(path, []byte(ruleList), 0o600))
	require.Equal(t, "pmd", must(LoadRules(path))(t).Linter)
}

func TestRulesOf(t *testing.T) {
	byDefault := Rules{Linter: "pmd", Names: []string{"a"}, Aliases: map[string]string{"o": "a"}}
	require.Equal(t, byDefault, RulesOf(&bench.StyleTask{Linter: "pmd"}, byDefault))
	own := RulesOf(&bench.StyleTask{Linter: "pmd", Rules: bench.RuleSet{Names: []string{"b"}, Config: "x"}}, byDefault)
	require.Equal(t, Rules{Linter: "pmd", Names: []string{"b"}, Aliases: byDefault.Aliases, Config: []byte("x")}, own)
}

// FuzzParseRules: no panic; what is accepted can be used.
func FuzzParseRules(f *testing.F) {
	f.Add([]byte(ruleList))
	f.Add([]byte("linter: x\nrules: [a, b]\nconflicts: [[a, b]]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := ParseRules("r.yaml", data)
		if err != nil {
			return
		}
		rules := file.Rules()
		require.NotEmpty(t, rules.Linter)
		require.True(t, slices.IsSorted(rules.Names))
		require.Len(t, slices.Compact(slices.Clone(rules.Names)), len(rules.Names))
		for _, now := range rules.Aliases {
			require.Contains(t, rules.Names, now)
		}
	})
}
