package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const settingsFile = "assay.yaml"

// applySettings fills in the flags that the command line leaves open, from the
// environment and then from the settings file.
func (a *app) applySettings(cmd *cobra.Command) error {
	file, err := a.readSettings(cmd)
	if err != nil {
		return err
	}
	var failed error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if failed != nil || f.Changed || f.Name == "help" || f.Name == "config" {
			return
		}
		variable := "ASSAY_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		value, from := a.getenv(variable), "environment variable "+variable
		if value == "" {
			var ok bool
			if value, ok = file.values[f.Name]; !ok {
				return
			}
			from = fmt.Sprintf("%s: %s", file.name, f.Name)
		}
		if err := cmd.Flags().Set(f.Name, value); err != nil {
			failed = fmt.Errorf("%s: %w", from, err)
		}
	})
	return failed
}

type settings struct {
	name   string
	values map[string]string
}

// readSettings reads the file and refuses keys that no command knows.
func (a *app) readSettings(cmd *cobra.Command) (settings, error) {
	name := a.config
	s := settings{name: name}
	if name == "" {
		s.name = settingsFile
	}
	data, err := os.ReadFile(s.name)
	if errors.Is(err, fs.ErrNotExist) && name == "" {
		return s, nil
	}
	if err != nil {
		return s, fmt.Errorf("reading settings: %w", err)
	}
	var raw map[string]any
	if err := yaml.Unmarshal(data, &raw); err != nil {
		return s, fmt.Errorf("%s: %s", s.name, yaml.FormatError(err, false, true))
	}
	known := knownFlags(cmd.Root())
	s.values = map[string]string{}
	for key, value := range raw {
		if !known[key] {
			return s, fmt.Errorf("%s:%d: unknown key %q (known: %s)", s.name, lineOf(data, key), key, strings.Join(sortedKeys(known), ", "))
		}
		text, err := settingText(value)
		if err != nil {
			return s, fmt.Errorf("%s:%d: key %q: %w", s.name, lineOf(data, key), key, err)
		}
		s.values[key] = text
	}
	return s, nil
}

// settingText writes a YAML value as a flag takes it.
func settingText(value any) (string, error) {
	switch v := value.(type) {
	case []any:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = fmt.Sprint(e)
		}
		return strings.Join(parts, ","), nil
	case map[string]any:
		return "", errors.New("expected a value or a list of values, got a mapping")
	}
	return fmt.Sprint(value), nil
}

func lineOf(data []byte, key string) int {
	for i, line := range strings.Split(string(data), "\n") {
		if strings.HasPrefix(strings.Trim(line, `"' `), key) {
			return i + 1
		}
	}
	return 1
}

func knownFlags(root *cobra.Command) map[string]bool {
	known := map[string]bool{}
	addFlags(root, known)
	delete(known, "help")
	delete(known, "config")
	return known
}

// addFlags adds the flags of a command and of those below it.
func addFlags(c *cobra.Command, known map[string]bool) {
	add := func(f *pflag.Flag) { known[f.Name] = true }
	c.PersistentFlags().VisitAll(add)
	c.Flags().VisitAll(add)
	for _, below := range c.Commands() {
		addFlags(below, known)
	}
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
