package linters

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"assay/style"
)

// analyzerRules is what the names of the static analyzer's checks begin with.
// By itself (without the dash), in options it means the analyzer as a whole.
const analyzerRules = "clang-analyzer-"

// compilerRules is what the compiler's own warnings begin with.
const compilerRules = "clang-diagnostic-"

// tidyConfig is the tool's configuration: the user's own, or one that turns on
// the rules and nothing else.
func tidyConfig(rules style.Rules) (string, error) {
	if len(rules.Config) > 0 {
		return string(rules.Config), checkTidyConfig(rules.Config)
	}
	if len(rules.Names) == 0 {
		return "", errors.New("clang-tidy is asked for no rule")
	}
	for _, name := range rules.Names {
		if name == "" || name[0] == '-' || strings.ContainsAny(name, "*, \t\r\n") {
			return "", fmt.Errorf("%q is not the name of a rule of clang-tidy", name)
		}
	}
	options := map[string]string{}
	for rule, values := range rules.Options {
		for option, value := range values {
			switch {
			case rule+"-" == analyzerRules:
			case strings.HasPrefix(rule, analyzerRules):
				options[rule+":"+option] = value
			default:
				options[rule+"."+option] = value
			}
		}
	}
	out, err := json.Marshal(map[string]any{ // JSON is YAML
		"Checks": "-*," + strings.Join(rules.Names, ","), "CheckOptions": options,
		"WarningsAsErrors": "", "HeaderFilterRegex": "", "SystemHeaders": false, "FormatStyle": "none",
	})
	return string(out), err
}

// checkTidyConfig refuses a configuration that would let the repository's own
// count.
func checkTidyConfig(config []byte) error {
	var c struct {
		Inherit bool `yaml:"InheritParentConfig"`
	}
	if err := yaml.Unmarshal(config, &c); err != nil {
		return fmt.Errorf("clang-tidy's configuration: %w", err)
	}
	if c.Inherit {
		return errors.New("clang-tidy's configuration inherits the repository's (InheritParentConfig)")
	}
	return nil
}

// tidyAnalyzer returns the settings of the static analyzer. Its default mode
// takes most of the time of a run.
func tidyAnalyzer(rules style.Rules) []string {
	settings := map[string]string{"mode": "shallow"}
	maps.Copy(settings, rules.Options[strings.TrimSuffix(analyzerRules, "-")])
	var out []string
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		out = append(out, key+"="+settings[key])
	}
	return out
}

func tidyWarnings(rules style.Rules) bool {
	return len(rules.Config) > 0 || slices.ContainsFunc(rules.Names, func(n string) bool { return strings.HasPrefix(n, compilerRules) })
}
