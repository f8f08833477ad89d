package syntax

import "strings"

// annotationPath is the dotted name of a decorator or annotation as written:
// "pytest.mark.skip" of "@pytest.mark.skip(reason='x')".
func annotationPath(text string) string {
	text = strings.TrimLeft(strings.TrimPrefix(text, "@"), " \t")
	if i := strings.IndexAny(text, "( \t\r\n"); i >= 0 {
		text = text[:i]
	}
	return text
}

// annotationName is the last part of its dotted name.
func annotationName(text string) string {
	p := annotationPath(text)
	return p[strings.LastIndexByte(p, '.')+1:]
}

// hasAnnotation reports whether a symbol carries an annotation with one of
// the names.
func (s *Symbol) hasAnnotation(names ...string) bool {
	for _, a := range s.Annotations {
		got := annotationName(a)
		for _, want := range names {
			if got == want {
				return true
			}
		}
	}
	return false
}

// typeName is the last part of a type's name, without type arguments:
// "TestCase" of "unittest.TestCase", "Base" of "a.Base<T>".
func typeName(text string) string {
	text = typePath(text)
	return text[strings.LastIndexAny(text, ".:")+1:]
}

// qualified is a symbol's name with its parents, as keys are made.
func (s *Symbol) qualified() string {
	return joinDots(with(s.Parents, s.Name))
}

// typePath is a type's dotted name without type arguments.
func typePath(text string) string {
	if i := strings.IndexAny(text, "<[( \t\r\n"); i >= 0 {
		text = text[:i]
	}
	return text
}

func joinDots(parts []string) string { return strings.Join(parts, ".") }
