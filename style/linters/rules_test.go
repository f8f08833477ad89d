package linters

import (
	"archive/zip"
	"encoding/json"
	"encoding/xml"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/style"
)

func TestRules(t *testing.T) {
	for _, l := range All() {
		t.Run(l.About().Name, func(t *testing.T) {
			f, err := Rules(l.About().Name)
			require.NoError(t, err)
			require.Equal(t, l.About().Name, f.Linter)
			require.Equal(t, l.About().Version, f.Version, "the version that the names are of")
			require.NotEmpty(t, f.Source)
			names := f.Rules().Names
			for old, now := range f.Aliases {
				require.Contains(t, names, now, old)
				require.NotContains(t, names, old, "a former name is no present one")
			}
			for misprint, meant := range f.Corrected {
				require.Contains(t, names, meant, misprint)
			}
			for name, why := range f.Gone {
				require.NotContains(t, names, name)
				require.NotEmpty(t, why, name)
			}
			for _, pair := range f.Conflicts {
				require.Subset(t, names, pair)
			}
		})
	}
	_, err := Rules("lint")
	require.EqualError(t, err, `no rule list for linter "lint"`)
}

func TestDefault(t *testing.T) {
	require.Equal(t, []string{"pylint", "pmd", "checkstyle", "clang-tidy"}, Default().Names())
	for _, l := range Default().All() {
		f, err := style.DefaultRules(l)
		require.NoError(t, err)
		require.Equal(t, l.About().Name, f.Linter)
	}
}

// names is the rule list that counts by default.
func names(t *testing.T, linter string) []string {
	f, err := Rules(linter)
	require.NoError(t, err)
	return f.Rules().Names
}

func TestRulesHavePlaces(t *testing.T) {
	for linter, file := range map[string]string{"pmd": "rules/pmd-categories.txt", "checkstyle": "rules/checkstyle-checks.txt"} {
		places, err := table(file)
		require.NoError(t, err)
		for _, name := range names(t, linter) {
			require.Contains(t, places, name)
		}
	}
}

func TestPylintKnowsRules(t *testing.T) {
	root := toolsDir(t, "pylint")
	out, err := exec.Command(root+"/pylint/bin/pylint", "--list-msgs").Output()
	require.NoError(t, err)
	known := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^:([a-z0-9-]+) \(`).FindAllStringSubmatch(string(out), -1) {
		known[m[1]] = true
	}
	for _, name := range append(names(t, "pylint"), pylintBroken()...) {
		require.True(t, known[name], "%s is none of pylint's", name)
	}
}

func TestRuffKnowsCodes(t *testing.T) {
	for rule := range ruffCodes() {
		require.Contains(t, names(t, "pylint"), rule)
	}
	root := toolsDir(t, "pylint")
	out, err := exec.Command(root+"/pylint/bin/ruff", "rule", "--all", "--output-format=json").Output()
	require.NoError(t, err)
	var all []struct{ Code, Fix string }
	require.NoError(t, json.Unmarshal(out, &all))
	fixes := map[string]string{}
	for _, r := range all {
		fixes[r.Code] = r.Fix
	}
	for rule, codes := range ruffCodes() {
		for _, code := range strings.Split(codes, ",") {
			require.Contains(t, fixes, code, rule)
			require.NotContains(t, fixes[code], "not available", "%s, for %s, mends nothing", code, rule)
		}
	}
}

// entries are the files in the jars of a directory.
func entries(t *testing.T, dir string) map[string]*zip.File {
	jars, err := filepath.Glob(dir + "/*.jar")
	require.NoError(t, err)
	require.NotEmpty(t, jars)
	out := map[string]*zip.File{}
	for _, jar := range jars {
		r, err := zip.OpenReader(jar)
		require.NoError(t, err)
		t.Cleanup(func() { _ = r.Close() })
		for _, f := range r.File {
			out[f.Name] = f
		}
	}
	return out
}

func TestPMDKnowsRules(t *testing.T) {
	root := toolsDir(t, "pmd/lib")
	files := entries(t, root+"/pmd/lib")
	got := map[string]string{}
	for name, f := range files {
		category, ok := strings.CutPrefix(name, "category/java/")
		if !ok || !strings.HasSuffix(name, ".xml") {
			continue
		}
		var set struct {
			Rules []struct {
				Name  string `xml:"name,attr"`
				Class string `xml:"class,attr"` // none where it points to another
			} `xml:"rule"`
		}
		r, err := f.Open()
		require.NoError(t, err)
		require.NoError(t, xml.NewDecoder(r).Decode(&set))
		for _, rule := range set.Rules {
			if rule.Class != "" {
				got[rule.Name] = strings.TrimSuffix(category, ".xml")
			}
		}
	}
	want, err := table("rules/pmd-categories.txt")
	require.NoError(t, err)
	require.Equal(t, got, want)
}

func TestCheckstyleKnowsRules(t *testing.T) {
	root := toolsDir(t, "checkstyle")
	classes := map[string]bool{}
	for name := range entries(t, root+"/checkstyle/lib") {
		if strings.Contains(name, "/checkstyle/checks/") {
			classes[filepath.Base(name)] = true
		}
	}
	checks, err := table("rules/checkstyle-checks.txt")
	require.NoError(t, err)
	for name := range checks {
		// The holder of annotations alone goes without the ending.
		require.True(t, classes[name+"Check.class"] || classes[name+".class"], name)
	}
}

func TestRecipesExist(t *testing.T) {
	for _, r := range recipes() {
		require.Contains(t, names(t, "pmd"), r.rule)
	}
	files := entries(t, toolsDir(t, "pmd/fixer")+"/pmd/fixer")
	for _, r := range recipes() {
		require.Contains(t, files, strings.ReplaceAll(r.recipe, ".", "/")+".class")
	}
}

var _ = []style.Fixer{Pylint{}, PMD{}}
