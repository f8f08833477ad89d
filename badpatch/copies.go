package badpatch

// ScopeCopies holds scopes by their text, to find copies of a function in other files that gold changes, as in
// headers that are put together from others: a mistake in one copy alone is
// often none that a test can see.
type ScopeCopies map[string][]ScopeCopy

// ScopeCopy is where the text of a scope is in a file.
type ScopeCopy struct {
	File  *ChangedFile
	Start int // offset in the file with gold in it
}

// CopiedScopes lists the scopes that gold changes, by their text.
func (s *Subject) CopiedScopes() ScopeCopies {
	out := ScopeCopies{}
	for _, f := range s.Files {
		if f.Gold == nil || len(s.Files) < 2 {
			continue
		}
		for _, scope := range (View{f, f.Gold, f.GoldLines()}).Scopes() {
			text := f.Gold.Text(scope)
			out[text] = append(out[text], ScopeCopy{f, scope.Start})
		}
	}
	return out
}

// Of lists where a scope of a file, by its text, is in other files.
func (x ScopeCopies) Of(file *ChangedFile, text string) []ScopeCopy {
	var out []ScopeCopy
	for _, t := range x[text] {
		if t.File != file {
			out = append(out, t)
		}
	}
	return out
}
