package tasks

import (
	"regexp"

	"assay/languages"
)

var javaFrame = regexp.MustCompile(`^\s*at [\w.$/<>]+\(|^\s*\.\.\. \d+ more`)

func javaManners() manners {
	return manners{language: languages.Java, least: compiling, frame: javaFrame}
}
