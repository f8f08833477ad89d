package patch

import (
	"bytes"
	"maps"
	"slices"
)

// maxOutput bounds the bytes that one patch may make, so that a small patch
// cannot fill the memory with copies or packed zeros.
const maxOutput = 512 << 20

// Apply works out what the patch makes of the tree, which it only reads. A hunk
// goes to the line it names, else to the nearest place with the same content,
// else to the nearest with up to two lines of context dropped at its ends. Hunks
// stay in order and do not overlap. One hunk that fails fails the patch, with an
// *ApplyError; writing through a symbolic link is an *UnsafeError. Errors of the
// tree are passed on.
//
// Files are taken in their order, and one may change what another made, as in
// diffs that were put together. As in git, a rename or copy takes the file as it
// was before the patch.
func Apply(tree Tree, p *Patch) (*Changes, error) {
	w := &work{
		tree:    tree,
		base:    make(map[string]read),
		now:     make(map[string]*slot),
		leaving: make(map[string]bool),
		methods: make(map[string]Method),
		left:    maxOutput,
	}
	for _, f := range p.Files {
		if f.Deleted || f.Renamed {
			w.leaving[f.OldPath] = true
		}
	}
	for _, f := range p.Files {
		if err := w.file(f); err != nil {
			return nil, err
		}
	}
	return w.changes()
}

// work is a patch being applied.
type work struct {
	tree    Tree
	base    map[string]read // what the tree has, as far as asked for
	now     map[string]*slot
	leaving map[string]bool // paths that some file of the patch deletes or renames
	methods map[string]Method
	left    int // bytes that may yet be made
}

type read struct {
	entry Entry
	ok    bool
}

// slot is a path that the patch changed.
type slot struct {
	entry   Entry
	gone    bool
	inPlace bool // changed, not created
}

// original reads the tree as it was.
func (w *work) original(path string) (Entry, bool, error) {
	if found, ok := w.base[path]; ok {
		return found.entry, found.ok, nil
	}
	entry, ok, err := lookup(w.tree, path)
	if err == nil {
		w.base[path] = read{entry, ok}
	}
	return entry, ok, err
}

// current reads the tree as the patch has it by now.
func (w *work) current(path string) (Entry, bool, error) {
	if s := w.now[path]; s != nil {
		return s.entry, !s.gone, nil
	}
	return w.original(path)
}

// file applies the change of one file.
func (w *work) file(f *File) error {
	if f.diff == nil {
		return &ApplyError{Path: f.Path(), Reason: "not made by Parse"}
	}
	for _, path := range []string{f.OldPath, f.NewPath} {
		if err := w.checkReach(path); err != nil {
			return err
		}
	}
	old, err := w.before(f)
	if err != nil {
		return err
	}
	entry, method, err := w.after(f, old)
	if err != nil {
		return err
	}
	w.methods[f.Path()] = max(w.methods[f.Path()], method)
	if f.Deleted || f.Renamed {
		w.remove(f)
	}
	if f.Deleted {
		return nil
	}
	if f.OldPath != f.NewPath {
		if err := w.checkFree(f, entry); err != nil {
			return err
		}
	}
	w.now[f.NewPath] = &slot{entry: entry, inPlace: f.OldPath == f.NewPath}
	return nil
}

// checkReach refuses a path that is not inside the tree or is reached through
// a link.
func (w *work) checkReach(path string) error {
	if path == "" {
		return nil
	}
	if err := CheckPath(path); err != nil {
		return err
	}
	for i := range len(path) {
		if path[i] != '/' {
			continue
		}
		parent, ok, err := w.current(path[:i])
		if err != nil {
			return err
		}
		if ok && parent.Mode == ModeSymlink {
			return &UnsafeError{Path: path, Reason: path[:i] + " is a symbolic link"}
		}
	}
	return nil
}

// remove takes away the old path, unless what is there is already the work of
// another part of the patch, as when two files swap names.
func (w *work) remove(f *File) {
	if f.Renamed && w.now[f.OldPath] != nil && !w.editedBefore(f.OldPath) {
		return
	}
	w.now[f.OldPath] = &slot{gone: true}
}

// checkFree refuses to create a file over another one.
func (w *work) checkFree(f *File, entry Entry) error {
	there, ok, err := w.current(f.NewPath)
	if err != nil || !ok {
		return err
	}
	if w.now[f.NewPath] == nil && w.leaving[f.NewPath] {
		return nil
	}
	if there.Mode&modeTypeMask == entry.Mode&modeTypeMask && bytes.Equal(there.Data, entry.Data) {
		return nil
	}
	return &ApplyError{Path: f.NewPath, Reason: "already exists with other content"}
}

// changes compares the outcome with the original tree.
func (w *work) changes() (*Changes, error) {
	c := &Changes{
		Write:   make(map[string]Entry),
		PerFile: w.methods,
		created: make(map[string]bool),
	}
	for _, path := range slices.Sorted(maps.Keys(w.now)) {
		old, had, err := w.original(path)
		if err != nil {
			return nil, err
		}
		s := w.now[path]
		switch {
		case s.gone && had:
			c.Remove = append(c.Remove, path)
		case s.gone, had && old.Mode == s.entry.Mode && bytes.Equal(old.Data, s.entry.Data):
		default:
			if err := w.checkParents(path); err != nil {
				return nil, err
			}
			c.Write[path] = s.entry
			c.created[path] = !had
		}
	}
	for _, method := range w.methods {
		c.Method = max(c.Method, method)
	}
	return c, nil
}

// checkParents refuses a path that would be below a file in the end.
func (w *work) checkParents(path string) error {
	if err := w.checkReach(path); err != nil {
		return err
	}
	for i := range len(path) {
		if path[i] != '/' {
			continue
		}
		_, ok, err := w.current(path[:i])
		if err != nil {
			return err
		}
		if ok {
			return &ApplyError{Path: path, Reason: path[:i] + " is a file"}
		}
	}
	return nil
}
