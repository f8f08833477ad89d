package tasks

import (
	"regexp"
	"time"
)

// manners are what judging needs to know of a language's runners.
type manners struct {
	language string
	// least is the shortest time limit of a run.
	least time.Duration
	// excerpt begins what the runners quote; nil where they quote nothing.
	excerpt *regexp.Regexp
	// frame is a line of a stack trace; nil where messages have none.
	frame *regexp.Regexp
}

// mannersOf are those of a language. Without any, a submission may have to
// compile what gold did not touch.
func mannersOf(language string) manners {
	for _, m := range []manners{pythonManners(), javaManners()} {
		if m.language == language {
			return m
		}
	}
	return manners{language: language, least: compiling}
}

// compiling is the shortest time limit where code is compiled.
const compiling = 10 * time.Minute
