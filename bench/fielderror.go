package bench

import (
	"fmt"
	"strings"
)

// FieldError describes what is wrong with one record of a file, and where.
// Line and Column count from 1 and are 0 where they are not known; Column is
// set for broken JSON only and counts bytes. Field is the path within the
// record ("bad_patches[2].patch"), empty where the record as a whole is
// wrong.
type FieldError struct {
	File     string
	Line     int
	Column   int
	Field    string
	Expected string
	Got      string
}

// Error returns file, line, field, and what was expected and found, as in
//
//	data.jsonl:17: field "base_commit": expected a commit id (7 to 40 hex digits), got number 12
func (e *FieldError) Error() string {
	var b strings.Builder
	b.WriteString(where(e.File, e.Line, e.Column))
	if b.Len() > 0 {
		b.WriteString(": ")
	}
	if e.Field != "" {
		fmt.Fprintf(&b, "field %q: ", e.Field)
	}
	fmt.Fprintf(&b, "expected %s, got %s", e.Expected, e.Got)
	return b.String()
}

// where names a place in a file, as far as it is known.
func where(file string, line, column int) string {
	if line > 0 {
		file += fmt.Sprintf(":%d", line)
	}
	if column > 0 {
		file += fmt.Sprintf(":%d", column)
	}
	return file
}

// at completes the error with the place of its record. A line that is known
// already (of broken JSON within a long value) stays.
func (e *FieldError) at(file string, line int) *FieldError {
	e.File = file
	if e.Line == 0 {
		e.Line = line
	}
	return e
}

// maxProblems bounds how many errors of one file are kept and shown.
const maxProblems = 20

// Problems is the error of a file that was read to its end and in which some
// records are wrong.
type Problems struct {
	List    []*FieldError // the first 20, in the order of the file
	More    int           // errors beyond those in List
	Records int           // records that were left out
}

// Error returns one error a line, and how many more there are.
func (p *Problems) Error() string {
	var b strings.Builder
	for i, e := range p.List {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(e.Error())
	}
	if p.More > 0 {
		fmt.Fprintf(&b, "\nand %d more", p.More)
	}
	return b.String()
}

// Unwrap makes the errors in List visible to errors.As.
func (p *Problems) Unwrap() []error {
	errs := make([]error, len(p.List))
	for i, e := range p.List {
		errs[i] = e
	}
	return errs
}

// add notes the errors of one record, which is then left out.
func (p *Problems) add(errs ...*FieldError) {
	p.Records++
	for _, e := range errs {
		if len(p.List) < maxProblems {
			p.List = append(p.List, e)
		} else {
			p.More++
		}
	}
}

// err is nil where nothing was noted.
func (p *Problems) err() error {
	if p.Records == 0 {
		return nil
	}
	return p
}
