package review

import (
	"strings"

	"assay/languages"
)

func javaWriting() writing {
	return writing{language: languages.Java, dialect: cLike, separator: ".", test: javaTest}
}

func javaTest(id string) string {
	if _, method, ok := strings.Cut(id, "::"); ok {
		id = method
	}
	return cutAny(id, "[(")
}
