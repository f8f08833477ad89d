package bench

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Duplicate is a valid record that Scan left out, because an earlier one of
// the dataset has its id (as NormaliseID spells it).
type Duplicate struct {
	ID        string // as this record writes it
	File      string
	Line      int // of this record, from 1
	FirstFile string
	FirstLine int      // of the record that is used
	Differs   []string // fields that differ from the first's, sorted; empty where all are the same
}

// String reports where both records are, whether they are equal, and which
// one is used.
func (d Duplicate) String() string {
	first := fmt.Sprintf("line %d", d.FirstLine)
	if d.FirstFile != d.File {
		first = where(d.FirstFile, d.FirstLine, 0)
	}
	what := "holds the same"
	if len(d.Differs) > 0 {
		what = "differs in " + strings.Join(d.Differs, ", ")
	}
	return fmt.Sprintf("%s: a second record of %s (the first: %s), which %s; the first one is used",
		where(d.File, d.Line, 0), d.ID, first, what)
}

// firstRecord is where the first record of an id is.
type firstRecord struct {
	id     string
	line   int
	offset int64
	length int
}

// duplicate notes a record whose id was seen before. The first one is read
// again for the comparison, so that no content is kept for it.
func (s *instanceScan) duplicate(rec rawRecord, in *Instance, first firstRecord) error {
	before, err := s.read(Entry{ID: first.id, Line: first.line, Offset: first.offset, Length: first.length})
	if err != nil {
		return err
	}
	d := Duplicate{ID: in.ID, Differs: differs(before, *in)}
	d.File, d.Line = s.place(rec.start.line)
	d.FirstFile, d.FirstLine = s.place(first.line)
	s.duplicates = append(s.duplicates, d)
	return nil
}

// differs names the fields in which two instances differ, by their JSON
// names. How the ids are spelled does not count.
func differs(a, b Instance) []string {
	b.ID = a.ID
	var out []string
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	for i := range x.NumField() {
		name, _, _ := strings.Cut(x.Type().Field(i).Tag.Get("json"), ",")
		if name != "-" && !reflect.DeepEqual(x.Field(i).Interface(), y.Field(i).Interface()) {
			out = append(out, name)
		}
	}
	for name, raw := range a.Extra {
		if string(b.Extra[name]) != string(raw) {
			out = append(out, name)
		}
	}
	for name := range b.Extra {
		if _, ok := a.Extra[name]; !ok {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}
