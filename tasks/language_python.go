package tasks

import (
	"regexp"
	"time"

	"assay/languages"
)

// pythonExcerpt begins a trace, or source with the values of its arguments.
var pythonExcerpt = regexp.MustCompile(`^Traceback \(most recent call last\):|^\s*(?:async )?def \w|^>\s|^@\w|^\w+ = \S`)

func pythonManners() manners {
	return manners{language: languages.Python, least: time.Minute, excerpt: pythonExcerpt}
}
