package languages

import (
	"assay/bench"
)

// cppMake reports whether the project has no CMake files at all.
func cppMake(suite Suite) bool { return false }

func cppMakeWarm(env bench.Env, suite Suite) string { return "" }

func cppMakeCommand(env bench.Env, suite Suite, c Command, r cppRunner) Command { return c }
