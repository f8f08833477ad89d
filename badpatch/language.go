package badpatch

import "assay/bench"

// reading is how the output of a language's runners reads.
type reading struct {
	language string
	// trace finds the innermost frame that is the repository's own code, and
	// the exception. It is nil where runners report no frames.
	trace func(text string) (Failure, bool)
	// errorRan reports whether a test that the runner calls an error ran, from
	// its message; nil means that it did not.
	errorRan func(message string) bool
	// lostAtThrow says that the tool for coverage does not count a line at which
	// an exception leaves.
	lostAtThrow bool
	// signatureAtImport says that an import executes the lines of a function's
	// signature.
	signatureAtImport bool
}

func readingOf(language string) reading {
	for _, r := range []reading{pythonReading(), javaReading()} {
		if r.language == language {
			return r
		}
	}
	return reading{language: language}
}

// LanguageOf is the language of an instance, SWE-bench's where it names none.
func LanguageOf(inst *bench.Instance) string {
	if inst.Language == "" {
		return bench.DefaultLanguage()
	}
	return inst.Language
}
