package collect

import (
	"regexp"
	"slices"

	"assay/bench"
)

// RecipeForm is what recipes of a language hold, in words for a model.
type RecipeForm struct {
	Title      string // the language as people write it
	ToolChain  string // "" where there is none to choose
	Install    string
	Runner     string
	Frameworks string

	language string
	version  *regexp.Regexp // of the tool chain
	// choose puts the tool chain into an env, and install what a recipe installs;
	// full is what is inferred without it.
	choose  func(env *bench.Env, toolChain string)
	install func(env *bench.Env, full bench.Env, r Recipe, date string)
}

func recipeForms() []RecipeForm { return []RecipeForm{pythonRecipe(), javaRecipe(), cppRecipe()} }

// RecipeFormOf is the form of a language. For a language that does not come with
// assay it is a form without a tool chain.
func RecipeFormOf(language string) RecipeForm {
	forms := recipeForms()
	if i := slices.IndexFunc(forms, func(f RecipeForm) bool { return f.language == language }); i >= 0 {
		return forms[i]
	}
	return RecipeForm{
		Title: language, Install: besideInference, Runner: "the test runner", Frameworks: "as the language has them",
		choose: func(*bench.Env, string) {}, install: installBeside,
	}
}

// besideInference describes commands that are added to those that are inferred.
const besideInference = "run one after the other in the project's folder as root, before the project is built"

// installBeside adds a recipe's commands to those that are inferred.
func installBeside(env *bench.Env, full bench.Env, r Recipe, _ string) {
	env.Setup = slices.Concat(full.Setup, r.Install)
}
