package methods

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// ReadSettings reads settings as a user gives them, NAME=VALUE each. One that
// the method does not have, a value out of its range and a name that is there
// twice are errors.
func ReadSettings(about About, given []string) (map[string]float64, error) {
	out := map[string]float64{}
	for _, text := range given {
		name, value, found := strings.Cut(text, "=")
		i := slices.IndexFunc(about.Settings, func(s Setting) bool { return s.Name == name })
		switch _, twice := out[name]; {
		case !found:
			return nil, fmt.Errorf("--set %s: expected NAME=VALUE", text)
		case i < 0:
			return nil, fmt.Errorf("--set %s: %s has no such setting (%s)", text, about.Name, namesOf(about.Settings))
		case twice:
			return nil, fmt.Errorf("--set %s: %s is given twice", text, name)
		}
		v, err := about.Settings[i].read(value)
		if err != nil {
			return nil, fmt.Errorf("--set %s: %w", text, err)
		}
		out[name] = v
	}
	return out, nil
}

func (s Setting) read(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || v < s.Least || v > s.Most || s.Whole && v != math.Trunc(v) {
		kind := "number"
		if s.Whole {
			kind = "whole number"
		}
		return 0, fmt.Errorf("expected a %s from %g to %g", kind, s.Least, s.Most)
	}
	return v, nil
}

func namesOf(settings []Setting) string {
	if len(settings) == 0 {
		return "it has none"
	}
	var names []string
	for _, s := range settings {
		names = append(names, s.Name)
	}
	return "it has " + strings.Join(names, ", ")
}
