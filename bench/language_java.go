package bench

func java() Language {
	return Language{
		Name: "java", Title: "Java",
		Sources: []string{".java"}, Tests: []string{".java", ".kt", ".groovy"},
		Column: 3, BuildFiles: []string{"pom.xml", "*.gradle", "*.gradle.kts"},
	}
}
