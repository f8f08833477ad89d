package languages

import (
	_ "embed" // for the tables
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
)

// knownErrors is a table of what newer tools complain of.
//
//go:embed cpp_known.yaml
var knownErrors []byte

// knownError is one row: a pattern of grep -E, and the flags that fix it.
type knownError struct {
	Pattern string `yaml:"pattern"`
	CMake   string `yaml:"cmake"`
	CXX     string `yaml:"cxx"`
	C       string `yaml:"c"`
	Why     string `yaml:"why"`
}

// cppKnown reads the table. It is part of the program, and a test reads it.
func cppKnown() ([]knownError, error) {
	var rows []knownError
	if err := yaml.Unmarshal(knownErrors, &rows); err != nil {
		return nil, fmt.Errorf("cpp_known.yaml: %w", err)
	}
	return rows, nil
}

// cppLearn is the shell function that looks for known errors in a log and adds
// their flags to the files that later runs read: $A/cmake, one argument a
// line, $A/cxx and $A/c, one set of flags a line, $A/decisions for people. It
// fails when it learns nothing new.
func cppLearn() string {
	rows, err := cppKnown()
	if err != nil {
		return "assay_learn() { return 1; }\n"
	}
	var b strings.Builder
	b.WriteString(`assay_add() { # kind flag pattern why log
  line=$(tr -d '\r' <"$5" | sed "s/[‘’]/'/g" | grep -E -m 1 -e "$3") || return 0
  if grep -qxF -e "$2" "$A/$1" 2>/dev/null; then return 0; fi
  printf '%s\n' "$2" >>"$A/$1"
  printf 'assay: adds %s %s: %s; the log says: %s\n' "$1" "$2" "$4" "$line" | tee -a "$A/decisions"
  learned=0
}
assay_learn() {
learned=1
`)
	for _, r := range rows {
		for _, f := range []struct{ kind, flag string }{{"cmake", r.CMake}, {"cxx", r.CXX}, {"c", r.C}} {
			if f.flag != "" {
				fmt.Fprintf(&b, "assay_add %s %s %s %s \"$1\"\n", f.kind, quote(f.flag), quote(r.Pattern), quote(r.Why))
			}
		}
	}
	b.WriteString("return $learned\n}\n")
	return b.String()
}
