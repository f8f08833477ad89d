package collect

import (
	"regexp"

	"assay/bench"
	"assay/languages"
)

func javaRecipe() RecipeForm {
	return RecipeForm{
		Title: "Java", ToolChain: `the number of the JDK, such as "17"`, Install: besideInference, Runner: "Maven or Gradle", Frameworks: "maven, gradle, ant",
		language: languages.Java, version: regexp.MustCompile(`^\d{1,2}$`),
		choose:  func(env *bench.Env, number string) { env.JDK = number },
		install: installBeside,
	}
}
