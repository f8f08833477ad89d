package patch

import (
	"bytes"
)

// before reads what the change starts from.
func (w *work) before(f *File) (Entry, error) {
	if f.New {
		return Entry{}, nil
	}
	readOld := w.current
	if f.Copied || f.Renamed && !w.editedBefore(f.OldPath) {
		readOld = w.original
	}
	entry, ok, err := readOld(f.OldPath)
	switch {
	case err != nil:
		return Entry{}, err
	case !ok && f.createsImplicitly():
		return Entry{Mode: ModeFile}, nil
	case !ok:
		return Entry{}, &ApplyError{Path: f.OldPath, Reason: "no such file"}
	case f.createsImplicitly() && len(entry.Data) > 0:
		return Entry{}, &ApplyError{Path: f.OldPath, Reason: "already exists"}
	case !f.startsFrom(entry):
		return Entry{}, &ApplyError{Path: f.OldPath, Reason: "file in one of tree and patch, symbolic link in the other"}
	}
	return entry, nil
}

// editedBefore reports whether a file to be renamed is to be taken as an
// earlier part of the patch left it: one that it edited, or that only it
// made.
func (w *work) editedBefore(path string) bool {
	s := w.now[path]
	return s != nil && !s.gone && (s.inPlace || !w.base[path].ok)
}

// createsImplicitly sees a new file in a diff that does not declare it: one
// hunk, of added lines only, after line 0.
func (f *File) createsImplicitly() bool {
	hunks := f.diff.TextFragments
	return !f.New && !f.Deleted && f.OldPath == f.NewPath &&
		len(hunks) == 1 && hunks[0].OldLines == 0 && hunks[0].OldPosition == 0
}

// startsFrom compares kinds. A diff that states no mode is of a regular file.
func (f *File) startsFrom(entry Entry) bool {
	if f.OldMode == 0 && len(f.diff.TextFragments) == 0 {
		return true
	}
	return (f.OldMode == ModeSymlink) == (entry.Mode == ModeSymlink)
}

// after works out the new entry; for a deletion, it checks the old one.
func (w *work) after(f *File, old Entry) (Entry, Method, error) {
	data, method, err := w.content(f, old.Data)
	if err != nil {
		return Entry{}, 0, err
	}
	if f.Deleted {
		if len(data) > 0 {
			err = &ApplyError{Path: f.OldPath, Reason: "to be deleted, but has other content"}
			return Entry{}, 0, err
		}
		return Entry{}, method, nil
	}
	if data == nil {
		data = []byte{} // to Between, nil stands for no file
	}
	entry := Entry{Data: data, Mode: old.Mode}
	if mode := uint32(f.diff.NewMode); mode != 0 {
		entry.Mode = mode
	}
	if entry.Mode == ModeSymlink {
		entry.Data = bytes.TrimRight(entry.Data, "\r\n")
		if err := checkTarget(f.NewPath, string(entry.Data)); err != nil {
			return Entry{}, 0, err
		}
	}
	return entry, method, nil
}

// content applies the hunks or the binary data.
func (w *work) content(f *File, old []byte) (out []byte, method Method, err error) {
	switch {
	case f.Binary:
		out, err = patchBinary(f, old, w.left)
	case len(f.diff.TextFragments) == 0:
		return old, Strict, nil
	case f.New:
		out = newContent(f)
	default:
		var failed *ApplyError
		if out, method, failed = patchText(old, f.diff.TextFragments); failed != nil {
			failed.Path = f.Path()
			err = failed
		}
	}
	if w.left -= len(out); w.left < 0 && err == nil {
		err = &ApplyError{Path: f.Path(), Reason: "the patch makes too much data"}
	}
	return out, method, err
}

func newContent(f *File) []byte {
	var lines [][]byte
	for _, hunk := range f.diff.TextFragments {
		for _, line := range hunk.Lines {
			lines = append(lines, []byte(line.Line))
		}
	}
	return join(lines, []byte{'\n'})
}
