package patch

import "strings"

// sides reads the --- and +++ lines.
func (s *scanner) sides(sec *section, found *names) error {
	if !s.atPlainHeader() {
		return nil
	}
	if strings.HasSuffix(string(s.lines[s.pos]), "\r") {
		sec.carriage = true
	}
	var oldOK, newOK bool
	found.oldSide, found.oldTime, oldOK = sideName(s.at(0)[len("--- "):])
	found.newSide, found.newTime, newOK = sideName(s.at(1)[len("+++ "):])
	if !oldOK || !newOK {
		return s.errorf("malformed file name")
	}
	found.sides = true
	s.pos += 2
	if sec.git {
		return nil
	}
	// GNU diff -N dates a missing side at the epoch; so may a real file be.
	if old, new, ok := s.counts(); ok {
		sec.isNew = isEpoch(found.oldTime) && old == 0
		sec.isDeleted = isEpoch(found.newTime) && new == 0
	}
	return nil
}

// counts peeks at the counts of the next line, if that is a hunk header.
func (s *scanner) counts() (old, new int, ok bool) {
	_, old, new, _, ok = parseHunkHeader(s.at(0))
	return old, new, ok
}

// resolve decides on the names, and on what happens to the file, from all that
// the header says. It gives a message where that is contradictory.
func (s *section) resolve(found *names) (msg string) {
	switch {
	case s.isRename || s.isCopy:
		msg = s.resolveMoved(found)
	case found.sides:
		s.resolveSides(found)
	case found.header:
		s.old, s.new = stripPrefixes(found.old, found.new)
	default:
		return "file header without names"
	}
	if msg != "" {
		return msg
	}
	if s.isNew && s.isDeleted {
		return "file is both new and deleted"
	}
	s.old, s.new = cleanPath(s.old), cleanPath(s.new)
	s.settle()
	return ""
}

func (s *section) resolveMoved(found *names) (msg string) {
	if found.from == "" || found.to == "" || s.isNew || s.isDeleted {
		return "incomplete rename or copy"
	}
	s.old, s.new = found.from, found.to
	if found.sides {
		old, new := stripPrefixes(found.oldSide, found.newSide)
		if old != s.old || new != s.new {
			return "names of the rename or copy disagree"
		}
	}
	return ""
}

func (s *section) resolveSides(found *names) {
	s.old, s.new = stripPrefixes(found.oldSide, found.newSide)
	s.isNew = s.isNew || found.oldSide == devNull
	s.isDeleted = s.isDeleted || found.newSide == devNull
	if !found.header || found.oldSide != devNull && found.newSide != devNull {
		return
	}
	// One side alone does not show its prefix; the first line may.
	old, new := stripPrefixes(found.old, found.new)
	if old == new && found.newSide == found.new {
		s.new = new
	}
	if old == new && found.oldSide == found.old {
		s.old = old
	}
}

// settle clears the side that does not exist and fills in what the canonical
// form needs.
func (s *section) settle() {
	if s.newMode != 0 && s.oldMode == 0 && !s.isNew {
		s.oldMode = ModeFile
		if s.newMode == ModeFile {
			s.oldMode = ModeExecutable
		}
	}
	switch {
	case s.isNew:
		s.old = ""
		if s.newMode == 0 {
			s.newMode = ModeFile
		}
	case s.isDeleted:
		s.new = ""
		if s.oldMode == 0 {
			s.oldMode = ModeFile
		}
	case s.isRename || s.isCopy || s.old == s.new:
	case s.git:
		s.isRename = true
	default:
		s.settlePlain()
	}
}

// settlePlain picks one name where diff(1) compared two files: the part below
// two different top folders, or the name that is not the backup's.
func (s *section) settlePlain() {
	_, old, _ := strings.Cut(s.old, "/")
	_, new, _ := strings.Cut(s.new, "/")
	switch {
	case old == new && old != "":
		s.old, s.new = old, new
	case strings.HasPrefix(s.new, s.old):
		s.new = s.old
	default:
		s.old = s.new
	}
}
