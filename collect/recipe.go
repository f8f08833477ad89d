package collect

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"assay/bench"
	"assay/languages"
)

// Recipe is an environment in the terms in which a model is asked for it. What
// it leaves open is inferred.
type Recipe struct {
	// ToolChain is a version of Python (3.9) or the number of a JDK (17).
	ToolChain string `json:"tool_chain,omitempty"`
	// Packages are Debian packages in addition to those that are inferred.
	Packages []string `json:"packages,omitempty"`
	// Install are commands in the repository, with network. In Python they take
	// the place of what is inferred, else they follow it.
	Install []string `json:"install,omitempty"`
	// Variables are of every phase, Arguments of the test runner or of CMake, and
	// Framework is the test runner.
	Variables map[string]string `json:"variables,omitempty"`
	Arguments []string          `json:"arguments,omitempty"`
	Framework string            `json:"framework,omitempty"`
}

// Bounds of a recipe.
const (
	mostItems   = 60
	mostCommand = 4000 // bytes
)

var (
	debianPackage = regexp.MustCompile(`^[a-z0-9][a-z0-9+.-]+$`)
	variableName  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// Check returns an error that names the part of a recipe from which no
// environment can be made.
func (r Recipe) Check(language string) error {
	form := RecipeFormOf(language)
	if r.ToolChain != "" && (form.version == nil || !form.version.MatchString(r.ToolChain)) {
		return fmt.Errorf("tool_chain: expected %s, got %.40q", cmp.Or(form.ToolChain, "nothing, since compilers are packages"), r.ToolChain)
	}
	for _, p := range r.Packages {
		if !debianPackage.MatchString(p) {
			return fmt.Errorf("packages: expected names of Debian packages, got %.60q", p)
		}
	}
	for name := range r.Variables {
		if !variableName.MatchString(name) {
			return fmt.Errorf("variables: expected names of environment variables, got %.60q", name)
		}
	}
	for _, c := range slices.Concat(r.Install, r.Arguments, slices.Collect(maps.Values(r.Variables))) {
		if len(c) > mostCommand || strings.ContainsRune(c, 0) {
			return fmt.Errorf("expected commands and values of at most %d bytes", mostCommand)
		}
	}
	if n := max(len(r.Packages), len(r.Install), len(r.Arguments), len(r.Variables)); n > mostItems {
		return fmt.Errorf("expected at most %d items in a list, got %d", mostItems, n)
	}
	return nil
}

// env makes an instance's env of a recipe: what is inferred with its tool
// chain, and what it adds.
func (r Recipe) env(ctx context.Context, m languages.Machine, inst *bench.Instance) (*bench.Env, error) {
	form := RecipeFormOf(inst.Language)
	env := bench.Env{Framework: r.Framework}
	form.choose(&env, r.ToolChain)
	var full bench.Env
	trial := *inst
	trial.Env = &env
	bed, err := m.Open(ctx, &trial)
	if err == nil {
		full = bed.Env()
	} else if err := machineError(ctx, err); err != nil {
		return nil, err
	}
	if len(r.Packages) > 0 {
		env.Packages = slices.Compact(slices.Sorted(slices.Values(slices.Concat(full.Packages, r.Packages))))
	}
	if len(r.Arguments) > 0 {
		env.Args = slices.Concat(full.Args, r.Arguments)
	}
	env.Vars = maps.Clone(r.Variables)
	if len(r.Install) > 0 {
		form.install(&env, full, r, inst.CreatedAt)
	}
	return &env, nil
}

// choices are the parts of an environment that other commits can share: no
// scripts, and nothing that was read from this commit.
func choices(up SetUp) bench.Env {
	if up.Given != nil {
		return *up.Given
	}
	e := up.Env
	return bench.Env{Base: e.Base, Python: e.Python, JDK: e.JDK, Packages: e.Packages, Framework: e.Framework, Args: e.Args}
}

// trial runs gold once in an environment, and describes what is wrong with it; ""
// if at least 95 % of the tests pass.
func (v Validator) trial(ctx context.Context, inst *bench.Instance, bed *languages.Testbed) (string, error) {
	o, err := bed.RunTests(ctx, languages.Variant{Name: "gold", Code: inst.Patch, Tests: inst.TestPatch})
	if err != nil {
		return err.Error(), machineError(ctx, err)
	}
	o = o.Cleared(o.Doubts)
	good, bad := 0, []string{}
	for _, t := range o.Tests {
		switch {
		case t.Status.OK():
			good++
		case t.Status != bench.Skipped:
			bad = append(bad, fmt.Sprintf("%s: %s\n%s", t.ID, t.Status, clip(t.Message+"\n"+o.Said[t.ID], 600)))
		}
	}
	switch {
	case o.State != bench.RunDone:
		return fmt.Sprintf("The run of the tests ended as %s: %s\n%s", o.State, o.Detail, tail(string(o.Log), 3000)), nil
	case good == 0:
		return "No test passes.\n" + strings.Join(bad[:min(len(bad), 4)], "\n") + "\n" + tail(string(o.Log), 2000), nil
	case float64(good) < minSane*float64(good+len(bad)):
		return fmt.Sprintf("%d of %d tests pass. Some that do not:\n%s", good, good+len(bad), strings.Join(bad[:min(len(bad), 4)], "\n")), nil
	}
	return "", nil
}

func clip(text string, n int) string {
	text = strings.TrimSpace(text)
	return strings.ToValidUTF8(text[:min(len(text), n)], "")
}

// tail is the end of a text, from a line's beginning where it has one.
func tail(text string, n int) string {
	text = strings.TrimSpace(text)
	if len(text) > n {
		text = text[len(text)-n:]
		if _, rest, ok := strings.Cut(text, "\n"); ok {
			text = rest
		}
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
