package patch

import (
	"regexp"
	"strconv"
	"strings"
)

// section is what the diff says about one file, repaired.
type section struct {
	line int // where it starts, from 1
	git  bool

	old, new           string // empty on the side that does not exist
	isNew, isDeleted   bool
	isRename, isCopy   bool
	oldMode, newMode   uint32
	similarity, object string // header lines copied as they are

	// carriage says that the header lines end in a carriage return, so that some
	// transport added one to every line.
	carriage bool

	hunks  []*hunk
	binary bool
	data   []dataLine
}

type dataLine struct {
	text string
	line int
}

func (s *section) addData(text string, pos int) {
	s.data = append(s.data, dataLine{text: text, line: pos + 1})
}

func (s *section) path() string {
	if s.new == "" {
		return s.old
	}
	return s.new
}

// matters reports whether there is anything in the section to apply. A plain
// header without hunks may be any text with two such lines.
func (s *section) matters() bool {
	return s.git || s.isNew || s.isDeleted || len(s.hunks) > 0 || s.binary
}

// names holds what the lines of one header say about names and times.
type names struct {
	header           bool // the "diff --git" line could be split
	old, new         string
	sides            bool // there are --- and +++ lines
	oldSide, newSide string
	oldTime, newTime string
	from, to         string // of a rename or copy
}

var (
	objectLine     = regexp.MustCompile(`^index ([0-9a-f]{4,64})\.\.([0-9a-f]{4,64})( [0-7]{5,6})?$`)
	similarityLine = regexp.MustCompile(`^(dis)?similarity index \d{1,3}%$`)
)

// header reads the header at the next line; nil where there is none.
func (s *scanner) header() (*section, error) {
	switch {
	case s.atCombined():
		return nil, s.errorf("diffs of merges are not supported")
	case !s.atHeader():
		return nil, nil
	}
	sec, found := &section{line: s.pos + 1}, new(names)
	if strings.HasSuffix(string(s.lines[s.pos]), "\r") {
		sec.carriage = true
	}
	if rest, ok := strings.CutPrefix(s.at(0), "diff --git "); ok {
		sec.git = true
		found.old, found.new, found.header = headerNames(rest)
		s.pos++
		if err := s.extended(sec, found); err != nil {
			return nil, err
		}
	}
	if err := s.sides(sec, found); err != nil {
		return nil, err
	}
	if msg := sec.resolve(found); msg != "" {
		return nil, &ParseError{Line: sec.line, Msg: msg}
	}
	return sec, nil
}

// extended reads git's header lines between "diff --git" and "---".
func (s *scanner) extended(sec *section, found *names) error {
	for s.more() && !s.atHeader() {
		known, msg := sec.extended(s.at(0), found)
		if msg != "" {
			return s.errorf(msg)
		}
		if !known {
			return nil
		}
		s.pos++
	}
	return nil
}

func (s *section) extended(line string, found *names) (known bool, msg string) {
	key, value := cutKey(line)
	ok := true
	switch key {
	case "old mode ":
		s.oldMode, ok = parseMode(value)
	case "new mode ":
		s.newMode, ok = parseMode(value)
	case "deleted file mode ":
		s.isDeleted = true
		s.oldMode, ok = parseMode(value)
	case "new file mode ":
		s.isNew = true
		s.newMode, ok = parseMode(value)
	case "copy from ", "rename from ", "rename old ":
		s.isCopy, s.isRename = key[0] == 'c', key[0] == 'r'
		found.from, ok = wholeName(value)
	case "copy to ", "rename to ", "rename new ":
		s.isCopy, s.isRename = key[0] == 'c', key[0] == 'r'
		found.to, ok = wholeName(value)
	case "similarity index ", "dissimilarity index ":
		if similarityLine.MatchString(line) {
			s.similarity = line
		}
	case "index ":
		ok = s.index(line)
	default:
		return false, ""
	}
	if !ok {
		return true, "malformed header line: " + clip(line)
	}
	return true, ""
}

// cutKey splits an extended header line after its keyword.
func cutKey(line string) (key, value string) {
	for _, key := range []string{
		"old mode ", "new mode ", "deleted file mode ", "new file mode ",
		"copy from ", "copy to ", "rename from ", "rename to ", "rename old ", "rename new ",
		"similarity index ", "dissimilarity index ", "index ",
	} {
		if value, ok := strings.CutPrefix(line, key); ok {
			return key, value
		}
	}
	return "", line
}

// index reads the line with the object names and, where the mode does not
// change, the mode. Models invent such lines: what is not of its form is dropped.
func (s *section) index(line string) (ok bool) {
	parts := objectLine.FindStringSubmatch(line)
	if parts == nil {
		return true
	}
	s.object = "index " + parts[1] + ".." + parts[2]
	if parts[3] == "" {
		return true
	}
	mode, ok := parseMode(parts[3][1:])
	if s.oldMode == 0 && !s.isNew {
		s.oldMode = mode
	}
	return ok
}

func wholeName(s string) (name string, ok bool) {
	if !strings.HasPrefix(s, `"`) {
		return s, s != ""
	}
	name, rest, ok := unquote(s)
	return name, ok && strings.TrimSpace(rest) == ""
}

// parseMode reads a git mode; permission bits other than the owner's executable
// bit are dropped, as git does.
func parseMode(s string) (uint32, bool) {
	n, err := strconv.ParseUint(strings.TrimSpace(s), 8, 32)
	mode := uint32(n)
	switch {
	case err != nil:
		return 0, false
	case mode&modeTypeMask == modeSubmodule:
		return modeSubmodule, true
	case mode&modeTypeMask == ModeSymlink:
		return ModeSymlink, true
	case mode&modeTypeMask != ModeFile&modeTypeMask:
		return 0, false
	case mode&0o100 != 0:
		return ModeExecutable, true
	}
	return ModeFile, true
}

// clip shortens a line for a message.
func clip(line string) string {
	const limit = 60
	if len(line) > limit {
		line = line[:limit] + "..."
	}
	return strconv.Quote(line)
}
