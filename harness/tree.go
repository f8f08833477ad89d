package harness

import "io/fs"

// TreeQuery asks for the entries of a directory. They are read from outside
// of the job, after all its processes have ended: links are never followed,
// also not on the way to Dir, and only regular files are opened.
type TreeQuery struct {
	Dir string // absolute
	// Skip lists globs relative to Dir, with the rules of MatchGlob. What
	// matches is not listed, and a directory that matches is not entered.
	Skip []string
	// Known maps paths relative to Dir to the SHA-256 (hex digits) of content
	// that need not be returned.
	Known map[string]string
	// Limit bounds the returned content of all files together, in bytes; 0
	// means TreeLimit. Larger files are not read at all.
	Limit int64
}

// TreeLimit is what TreeQuery.Limit means when zero.
const TreeLimit = 256 << 20

// Entry is a file, a directory or anything else below TreeQuery.Dir, which is
// itself not an entry.
type Entry struct {
	Path   string      // relative to TreeQuery.Dir, with slashes; any bytes but NUL
	Mode   fs.FileMode // type bits and permissions
	Size   int64       // of regular files, in bytes
	SHA256 string      // of a regular file's content, in hex digits
	Link   string      // where a symbolic link points to
	// Data is the content of a regular file, unless Known has its hash.
	Data []byte
	// Omitted says that a limit was reached, or that reading was not possible:
	// a regular file has no Data (and no SHA256 where it was not read); what is
	// in a directory, whose path is then too long to open, is not listed.
	Omitted bool
}
