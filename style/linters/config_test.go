package linters

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/style"
)

func TestConfigPath(t *testing.T) {
	cases := []struct {
		linter, path string
		want         style.ConfigKind
	}{
		{"pylint", "pylintrc", style.OwnConfig}, {"pylint", "tools/.pylintrc", style.OwnConfig}, {"pylint", "pylintrc.toml", style.OwnConfig},
		{"pylint", "setup.cfg", style.SharedConfig}, {"pylint", "pyproject.toml", style.SharedConfig}, {"pylint", "pylint-baseline.json", style.OwnConfig},
		{"pylint", "pkg/pylint/checker.py", style.NoConfig}, {"pylint", ".flake8", style.NoConfig}, {"pylint", "", style.NoConfig},
		{"pmd", "src/main/pmd/rules.xml", style.OwnConfig}, {"pmd", "my-ruleset.xml", style.OwnConfig}, {"pmd", "exclude-pmd.properties", style.OwnConfig}, {"pmd", "pom.xml", style.NoConfig},
		{"pmd", "src/main/java/pmd/Rule.java", style.NoConfig},
		{"checkstyle", "config/checkstyle/suppressions.xml", style.OwnConfig}, {"checkstyle", "google_checks.xml", style.OwnConfig}, {"checkstyle", "a.xml", style.NoConfig},
		{"clang-tidy", ".clang-tidy", style.OwnConfig}, {"clang-tidy", "src/.clang-tidy", style.OwnConfig}, {"clang-tidy", ".clang-format", style.NoConfig},
		{"clang-tidy", ".clangd", style.OwnConfig},
	}
	for _, c := range cases {
		l, err := Default().Lookup(c.linter)
		require.NoError(t, err)
		require.Equal(t, c.want, l.(style.ConfigReader).ConfigPath(c.path), "%s %s", c.linter, c.path)
	}
}
