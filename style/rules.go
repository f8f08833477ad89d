package style

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"assay/bench"
)

// RuleFile is a linter's rule list as data that a user can replace.
type RuleFile struct {
	Linter  string   `yaml:"linter"`
	Version string   `yaml:"version"` // of the tool that the names are of
	Source  string   `yaml:"source"`  // where the list is from
	Names   []string `yaml:"rules"`
	// Aliases maps former names to present ones.
	Aliases map[string]string `yaml:"aliases"`
	// Corrected maps misprints of the source to what they stand for.
	Corrected map[string]string `yaml:"corrected"`
	// Gone gives the reason for names of the source that do not count.
	Gone map[string]string `yaml:"gone"`
	// Zealous rules count as new findings but make no task.
	Zealous []string `yaml:"zealous"`
	// Conflicts are pairs of rules of which fixing one breaks the other.
	Conflicts [][]string                   `yaml:"conflicts"`
	Options   map[string]map[string]string `yaml:"options"`
	// Config is the tool's own configuration, in place of one that is made
	// from the names.
	Config string `yaml:"config"`
}

// ParseRules reads a rule list. Unknown keys, doublets, and names that nothing
// stands for are errors with file and line.
func ParseRules(name string, data []byte) (RuleFile, error) {
	var f RuleFile
	if err := decodeYAML(data, &f); err != nil && !errors.Is(err, io.EOF) {
		return f, fmt.Errorf("%s: %s", name, yaml.FormatError(err, false, true))
	}
	return f, f.check(name, string(data))
}

// decodeYAML is strict decoding. The decoder panics at some malformed input
// (a tag without a value, for one).
func decodeYAML(data []byte, into any) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("it cannot be read as YAML: %v", r)
		}
	}()
	return yaml.NewDecoder(bytes.NewReader(data), yaml.DisallowUnknownField()).Decode(into)
}

// LoadRules reads a user's rule list.
func LoadRules(path string) (RuleFile, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return RuleFile{}, fmt.Errorf("reading rules: %w", err)
	}
	return ParseRules(path, data)
}

func (f *RuleFile) check(name, text string) error {
	wrong := func(word, format string, args ...any) error {
		return fmt.Errorf("%s:%d: %s", name, lineWith(text, word), fmt.Sprintf(format, args...))
	}
	if f.Linter == "" {
		return wrong("", "linter: expected the name of a linter")
	}
	if len(f.Names) == 0 {
		return wrong("rules", "rules: expected a list of rules")
	}
	known := map[string]bool{}
	for _, r := range f.Names {
		if r == "" || strings.ContainsAny(r, " ,\t\n") {
			return wrong(r, "rules: %q: expected the name of one rule", r)
		}
		if known[r] {
			return fmt.Errorf("%s:%d: rules: %s is listed twice", name, secondItem(text, r), r)
		}
		known[r] = true
	}
	for _, r := range f.Zealous {
		if !known[r] {
			return wrong(r, "zealous: %s is not one of the rules", r)
		}
	}
	for _, old := range slices.Sorted(maps.Keys(f.Aliases)) {
		if now := f.Aliases[old]; !known[now] {
			return wrong(old, "aliases: %s: %s is not one of the rules", old, now)
		}
	}
	for _, pair := range f.Conflicts {
		if len(pair) != 2 {
			return wrong("conflicts", "conflicts: expected pairs of rules, got %d", len(pair))
		}
	}
	return nil
}

func lineWith(text, word string) int {
	for i, line := range strings.Split(text, "\n") {
		if word != "" && strings.Contains(line, word) {
			return i + 1
		}
	}
	return 1
}

// secondItem is the line of the second list item with a name.
func secondItem(text, name string) int {
	seen := 0
	for i, line := range strings.Split(text, "\n") {
		if strings.TrimSpace(line) == "- "+name {
			if seen++; seen == 2 {
				return i + 1
			}
		}
	}
	return lineWith(text, name) // written otherwise
}

// Rules are the list as linters take it.
func (f RuleFile) Rules() Rules {
	return Rules{
		Linter: f.Linter, Names: slices.Sorted(slices.Values(f.Names)), Aliases: maps.Clone(f.Aliases),
		Options: f.Options, Config: []byte(f.Config),
	}
}

// Set is the list as it goes into tasks.
func (f RuleFile) Set() bench.RuleSet {
	return bench.RuleSet{Names: slices.Sorted(slices.Values(f.Names)), Options: f.Options, Config: f.Config}
}

// RulesOf are the rules that count in a task. A task that names none counts
// by the default list.
func RulesOf(t *bench.StyleTask, byDefault Rules) Rules {
	if len(t.Rules.Names) == 0 {
		return byDefault
	}
	return Rules{
		Linter: t.Linter, Names: t.Rules.Names, Aliases: byDefault.Aliases, Options: t.Rules.Options, Config: []byte(t.Rules.Config),
	}
}
