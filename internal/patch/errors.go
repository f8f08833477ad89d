package patch

import "fmt"

// ParseError explains why a text is not a diff. Line is counted from 1 in the
// text that was given to Parse; 0 where no single line is at fault.
type ParseError struct {
	Line int
	Msg  string
}

func (e *ParseError) Error() string {
	if e.Line == 0 {
		return "parsing diff: " + e.Msg
	}
	return fmt.Sprintf("parsing diff: line %d: %s", e.Line, e.Msg)
}

// UnsafeError refuses a patch that could reach outside the tree, into git's own
// files, or through a symbolic link.
type UnsafeError struct {
	Path   string
	Reason string
}

func (e *UnsafeError) Error() string {
	return fmt.Sprintf("unsafe path %s: %s", clip(e.Path), e.Reason)
}

// TooLargeError refuses a diff over a limit on its size. Unit describes what
// Size and Limit count: "bytes" or "lines".
type TooLargeError struct {
	Size, Limit int
	Unit        string
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("diff of %d %s is over the limit of %d", e.Size, e.Unit, e.Limit)
}

// ApplyError explains why a patch does not apply. Hunk is counted from 1 in
// the order of line numbers; 0 where the whole file is at fault.
type ApplyError struct {
	Path   string
	Hunk   int
	Reason string
}

func (e *ApplyError) Error() string {
	if e.Hunk == 0 {
		return fmt.Sprintf("applying to %s: %s", e.Path, e.Reason)
	}
	return fmt.Sprintf("applying hunk %d to %s: %s", e.Hunk, e.Path, e.Reason)
}
