package collect

import (
	"assay/bench"
	"assay/languages"
)

// cppRecipe has no tool chain to choose: compilers are packages.
func cppRecipe() RecipeForm {
	return RecipeForm{
		Title: "C++", Install: besideInference, Runner: "CMake", Frameworks: "gtest, catch2, doctest, ctest, meson, automake, make",
		language: languages.Cpp, choose: func(*bench.Env, string) {}, install: installBeside,
	}
}
