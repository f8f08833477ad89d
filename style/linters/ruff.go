package linters

import (
	"slices"
	"strings"

	"assay/style"
)

const ruffVersion = "0.17.5"

// ruffCodes maps pylint's rules to the ones of ruff that can fix them,
// separated by commas.
func ruffCodes() map[string]string {
	return map[string]string{
		"dangerous-default-value":             "B006",
		"anomalous-backslash-in-string":       "W605",
		"duplicate-value":                     "B033",
		"f-string-without-interpolation":      "F541",
		"implicit-str-concat":                 "ISC001",
		"nested-min-max":                      "PLW3301",
		"redundant-u-string-prefix":           "UP025",
		"reimported":                          "F811",
		"subprocess-run-check":                "PLW1510",
		"unnecessary-ellipsis":                "PIE790",
		"unnecessary-lambda":                  "PLW0108",
		"unnecessary-pass":                    "PIE790",
		"unnecessary-semicolon":               "E703",
		"unspecified-encoding":                "PLW1514",
		"unused-import":                       "F401",
		"unused-variable":                     "F841,RUF059",
		"useless-else-on-loop":                "PLW0120",
		"format-string-without-interpolation": "F541",
		"notimplemented-raised":               "F901",
	}
}

// Fix implements style.Fixer, with ruff: pylint fixes nothing itself. Fixes
// that ruff calls unsafe are taken too: the task's tests report whether
// function is held. What a package's __init__.py imports is its interface:
// pylint does not call it unused.
func (Pylint) Fix(req style.Request) (style.Command, error) {
	codes := ruffCodes()
	var wanted []string
	for _, rule := range req.Rules.Names {
		if code, ok := codes[rule]; ok {
			wanted = append(wanted, strings.Split(code, ",")...)
		}
	}
	slices.Sort(wanted)
	if len(wanted) == 0 {
		return style.Command{Script: "exit 0\n"}, nil
	}
	// Code 1 means that findings are left.
	script := "code=0\n" + pylintHome + "/bin/ruff check --isolated --no-cache --quiet --preview --fix --unsafe-fixes --per-file-ignores __init__.py:F401 --select " +
		strings.Join(slices.Compact(wanted), ",") + " -- " + quoteAll(req.Files) + " || code=$?\n[ $code -le 1 ]\n"
	return style.Command{Script: script, Env: []string{"HOME=" + req.Dir}}, nil
}
