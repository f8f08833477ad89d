package tolerant

import "regexp"

// manner is what placing code needs to know of a language.
type manner struct {
	language string
	// wrap is put around a member if a file cannot hold it alone.
	wrap [2]string
	// membersOnly says that every function belongs to a class.
	membersOnly bool
	// member recognises the first line of a function that belongs to a class; nil
	// where no line shows that.
	member *regexp.Regexp
	// memberClass recognises the first line of a class that can only be in another
	// one; nil where no line shows that.
	memberClass *regexp.Regexp
	// braces says that a class ends with a line of its own.
	braces bool
	// apart is how many blank lines are between functions of a file, and within
	// how many between those of a class.
	apart, within int
	// opening recognises lines before the first statement of a file, other than
	// blank ones and comments.
	opening *regexp.Regexp
}

// mannerOf is that of a language; false where it is not known.
func mannerOf(language string) (manner, bool) {
	for _, m := range []manner{pythonManner(), javaManner(), cppManner()} {
		if m.language == language {
			return m, true
		}
	}
	return manner{}, false
}
