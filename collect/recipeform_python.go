package collect

import (
	"cmp"
	"maps"
	"regexp"
	"slices"

	"assay/bench"
	"assay/languages"
)

func pythonRecipe() RecipeForm {
	return RecipeForm{
		Title: "Python", ToolChain: `the version of Python, such as "3.9"`, Runner: "pytest", Frameworks: "pytest, unittest",
		Install: "run one after the other in the project's folder as root. They take the place of all that the program would install: the project in development mode, " +
			"its dependencies, those of its tests, and the test runner. Use `pip install`; no package released after the day of the change can be had",
		language: languages.Python, version: regexp.MustCompile(`^3\.\d{1,2}$`),
		choose:  func(env *bench.Env, version string) { env.Python = version },
		install: installPython,
	}
}

// installPython keeps what is inferred besides the set-up: one that is given
// turns it off.
func installPython(env *bench.Env, full bench.Env, r Recipe, date string) {
	env.Python = cmp.Or(env.Python, full.Python)
	env.Args = slices.Concat(full.Args, r.Arguments)
	env.Vars = maps.Clone(full.Vars)
	if env.Vars == nil {
		env.Vars = map[string]string{}
	}
	maps.Copy(env.Vars, r.Variables)
	env.Setup = pythonInstall(r.Install, date)
}

var pipInstall = regexp.MustCompile(`(^|[\s;&|(])(?:(?:/opt/venv/bin/)?python[\d.]* -m |/opt/uv/bin/uv |uv )?pip3? install\b`)

// pythonInstall has all packages installed by uv, as of the instance's date.
func pythonInstall(commands []string, date string) []string {
	lines := []string{"export VIRTUAL_ENV=/opt/venv PATH=/opt/venv/bin:$PATH"}
	if date != "" {
		lines = append(lines, "export UV_EXCLUDE_NEWER="+date)
	}
	for _, c := range commands {
		lines = append(lines, pipInstall.ReplaceAllString(c, "${1}/opt/uv/bin/uv pip install"))
	}
	return lines
}
