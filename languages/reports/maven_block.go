package reports

import (
	"strconv"
	"strings"

	"assay/bench"
)

// parseTotals reads "Tests run: 4, Failures: 1, Errors: 1, Skipped: 1".
func parseTotals(s string) (mavenTotals, bool) {
	var t mavenTotals
	fields := []struct {
		label string
		value *int
	}{{"Tests run: ", &t.run}, {", Failures: ", &t.failures}, {", Errors: ", &t.errors}, {", Skipped: ", &t.skipped}}
	for _, f := range fields {
		rest, ok := strings.CutPrefix(s, f.label)
		if !ok {
			return t, false
		}
		number, rest := cutNumber(rest)
		n, err := strconv.Atoi(number)
		if err != nil {
			return t, false
		}
		*f.value, s = n, rest
	}
	return t, true
}

// method reads a line of a method:
//
//	x.C.name(int)[2] -- Time elapsed: 0.1 s <<< FAILURE!   Surefire 3
//	name(x.C)  Time elapsed: 0.1 sec  <<< ERROR!           Surefire 2, JUnit 4
//	name{int}[2]  Time elapsed: 0.1 s  <<< FAILURE!        Surefire 2.22, JUnit 5
//	name(x.C) skipped
func (b *mavenBlock) method(line string) bool {
	var name string
	status := bench.Passed
	if rest, ok := strings.CutSuffix(line, " skipped"); ok {
		status, name = bench.Skipped, rest
	} else if i := strings.LastIndex(line, "Time elapsed: "); i > 0 {
		name = strings.TrimSuffix(strings.TrimRight(line[:i], " "), " --")
		switch tail := line[i:]; {
		case strings.HasSuffix(tail, "<<< FAILURE!"):
			status = bench.Failed
		case strings.HasSuffix(tail, "<<< ERROR!"):
			status = bench.Error
		case strings.Contains(tail, "<<<"):
			return false
		}
	} else {
		return false
	}
	id := b.id(name)
	if !strings.Contains(id, "::") { // of the class, or of a method that Surefire 3 does not name
		if status == bench.Skipped {
			return true
		}
		status = bench.Error
	}
	b.endText()
	b.methods = append(b.methods, bench.Test{ID: id, Status: status})
	b.open = true
	return true
}

// id is the canonical id of a method as a line names it.
func (b *mavenBlock) id(name string) string {
	if b.names(name) {
		return name
	}
	if head, ok := strings.CutSuffix(name, ")"); ok { // name(x.C), JUnit 4
		if i := strings.LastIndexByte(head, '('); i > 0 && strings.HasPrefix(head[i+1:], b.class) {
			return javaID(head[i+1:], head[:i])
		}
	}
	if class, ok := qualifier(name); ok && related(class, b.class) {
		return javaID(class, name[len(class)+1:])
	}
	return javaID(b.class, name)
}

// names reports whether s is the block's class, one around or within it.
func (b *mavenBlock) names(s string) bool {
	inner, nested := strings.CutPrefix(s, b.class+"$")
	return s == b.class || strings.HasPrefix(b.class, s+"$") || nested && !strings.Contains(inner, ".")
}

// qualifier returns the class in x.C.name(...): what is before the last dot
// that precedes any bracket.
func qualifier(name string) (string, bool) {
	end := strings.IndexAny(name, "({[ ")
	if end < 0 {
		end = len(name)
	}
	i := strings.LastIndexByte(name[:end], '.')
	if i <= 0 {
		return "", false
	}
	return name[:i], true
}

// related reports whether one class is the other or nested in it, or in the
// same outermost class.
func related(a, b string) bool {
	outer := func(s string) string { before, _, _ := strings.Cut(s, "$"); return before }
	return outer(a) == outer(b)
}

// trace takes a line of the last method's failure. Surefire 2.22 does not say
// in which nested class a method is; its stack does.
func (b *mavenBlock) trace(line string) {
	if !b.open || len(b.methods) == 0 {
		return
	}
	last := &b.methods[len(b.methods)-1]
	if !last.Status.Failing() {
		return
	}
	if b.text.Len() < textLimit {
		b.text.WriteString(line + "\n")
	}
	frame, ok := strings.CutPrefix(strings.TrimSpace(line), "at ")
	method, own := strings.CutPrefix(last.ID, b.class+"::")
	if !ok || !own || !strings.HasPrefix(frame, b.class+"$") {
		return
	}
	base, _, _ := strings.Cut(method, "[")
	if class, ok := qualifier(frame); ok && strings.HasPrefix(frame[len(class):], "."+base+"(") {
		last.ID = class + "::" + method
	}
}

func (b *mavenBlock) endText() {
	if n := len(b.methods); n > 0 && b.open {
		b.methods[n-1].Message = b.text.String()
	}
	b.text.Reset()
	b.open = false
}
