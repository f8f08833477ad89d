package languages

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// pyproject is what the rules read of pyproject.toml.
type pyproject struct {
	Build struct {
		Requires []string `toml:"requires"`
		Backend  string   `toml:"build-backend"`
	} `toml:"build-system"`
	Project *struct {
		Name         string              `toml:"name"`
		Dependencies []string            `toml:"dependencies"`
		Optional     map[string][]string `toml:"optional-dependencies"`
	} `toml:"project"`
	Groups map[string][]any `toml:"dependency-groups"`
	Tool   struct {
		Poetry struct {
			Name         string         `toml:"name"`
			Dependencies map[string]any `toml:"dependencies"`
			Dev          map[string]any `toml:"dev-dependencies"`
			Groups       map[string]struct {
				Dependencies map[string]any `toml:"dependencies"`
			} `toml:"group"`
			Extras map[string][]string `toml:"extras"`
		} `toml:"poetry"`
		Flit struct {
			Metadata map[string]any `toml:"metadata"`
		} `toml:"flit"`
		PDM struct {
			Dev map[string][]string `toml:"dev-dependencies"`
		} `toml:"pdm"`
		UV struct {
			Dev []string `toml:"dev-dependencies"`
		} `toml:"uv"`
		Hatch struct {
			Envs map[string]hatchEnv `toml:"envs"`
		} `toml:"hatch"`
		Tox struct {
			Legacy string `toml:"legacy_tox_ini"`
		} `toml:"tox"`
		Pytest struct {
			Options map[string]any `toml:"ini_options"`
		} `toml:"pytest"`
	} `toml:"tool"`
}

type hatchEnv struct {
	Dependencies []string `toml:"dependencies"`
	Extra        []string `toml:"extra-dependencies"`
	Features     []string `toml:"features"`
}

// readPyproject reads as much as has the expected form: a table of another
// shape leaves the rest as it is.
func readPyproject(text string) pyproject {
	var p pyproject
	if _, err := toml.Decode(text, &p); err == nil {
		return p
	}
	var raw map[string]any
	if _, err := toml.Decode(text, &raw); err != nil {
		return pyproject{}
	}
	p = pyproject{}
	for _, key := range slices.Sorted(maps.Keys(raw)) {
		var b strings.Builder
		var part pyproject
		if toml.NewEncoder(&b).Encode(map[string]any{key: raw[key]}) != nil {
			continue
		}
		if _, err := toml.Decode(b.String(), &part); err != nil {
			continue
		}
		switch key {
		case "build-system":
			p.Build = part.Build
		case "project":
			p.Project = part.Project
		case "dependency-groups":
			p.Groups = part.Groups
		case "tool":
			p.Tool = part.Tool
		}
	}
	return p
}

// group lists the requirements of a dependency group (PEP 735), with those of
// the groups that it includes.
func (p pyproject) group(name string, depth int) []string {
	var out []string
	for key, entries := range p.Groups {
		if distName(key) != distName(name) || depth > maxIncluded {
			continue
		}
		for _, e := range entries {
			switch e := e.(type) {
			case string:
				out = append(out, e)
			case map[string]any:
				if include, ok := e["include-group"].(string); ok {
					out = append(out, p.group(include, depth+1)...)
				}
			}
		}
	}
	return out
}

// poetryRequirements turns Poetry's table into the form of PEP 508, sorted.
func poetryRequirements(table map[string]any) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(table)) {
		spec, ok := table[name].(string)
		extras, marker := "", ""
		if t, isTable := table[name].(map[string]any); isTable {
			spec, _ = t["version"].(string)
			ok = t["path"] == nil
			if e, isList := t["extras"].([]any); isList {
				extras = strings.Trim(strings.ReplaceAll(fmt.Sprint(e), " ", ","), "")
			}
			if m, isText := t["markers"].(string); isText {
				marker = " ; " + m
			}
		}
		if ok && name != "python" {
			out = append(out, name+extras+poetrySpecifier(spec)+marker)
		}
	}
	return out
}

// poetrySpecifier turns ^1.2 into >=1.2,<2 and ~1.2 into >=1.2,<1.3.
func poetrySpecifier(spec string) string {
	caret := regexp.MustCompile(`^[\^]\s*(\d+)(?:\.(\d+))?`)
	var out []string
	for _, part := range strings.Split(strings.Split(spec, "||")[0], ",") {
		part = strings.TrimSpace(part)
		switch {
		case part == "" || part == "*":
		case strings.HasPrefix(part, "^"):
			low := strings.TrimSpace(part[1:])
			out = append(out, ">="+low)
			if m := caret.FindStringSubmatch(part); m != nil && m[1] != "0" {
				out = append(out, "<"+increment(m[1]))
			} else if m != nil && m[2] != "" {
				out = append(out, "<0."+increment(m[2]))
			}
		case strings.HasPrefix(part, "~") && !strings.HasPrefix(part, "~="):
			out = append(out, "~="+twoParts(strings.TrimSpace(part[1:])))
		case part[0] >= '0' && part[0] <= '9':
			out = append(out, "=="+part)
		default:
			out = append(out, part)
		}
	}
	return strings.Join(out, ",")
}

func increment(n string) string {
	var v int
	if _, err := fmt.Sscanf(n, "%d", &v); err != nil {
		return n
	}
	return fmt.Sprint(v + 1)
}

// twoParts keeps ~= valid, which needs two numbers at least.
func twoParts(v string) string {
	if strings.Contains(v, ".") {
		if strings.Count(v, ".") == 1 {
			return v + ".0"
		}
		return v
	}
	return v + ".0"
}
