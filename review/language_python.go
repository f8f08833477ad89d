package review

import (
	"strings"

	"assay/languages"
)

func pythonWriting() writing {
	return writing{language: languages.Python, dialect: pythonLike, separator: ".", test: pythonTest}
}

func pythonTest(id string) string {
	id = cutAny(id[strings.LastIndex(cutAny(id, "["), "::")+1:], "[")
	return strings.TrimPrefix(id, ":")
}
