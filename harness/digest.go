package harness

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"io"
	"io/fs"
	"math"
	"slices"
)

// The first field of what is hashed. It changes with the meaning of a
// digest, so that old entries are no longer found.
const (
	recipeScheme = "assay recipe 1"
	jobScheme    = "assay job 1"
)

// Digest returns the identity of a recipe and all its parents: SHA-256 in hex
// digits over every field that makes content (see Recipe). The order and
// repetition of Packages mean nothing, all other order does. Base counts
// where it is read, in the lowest layer.
func Digest(r Recipe) string {
	e := newEncoder(recipeScheme)
	if r.Parent != nil {
		e.str(Digest(*r.Parent))
		e.str("")
	} else {
		e.str("")
		e.str(r.Base)
	}
	packages := slices.Clone(r.Packages)
	slices.Sort(packages)
	e.strs(slices.Compact(packages))
	e.num(int64(len(r.Archives)))
	for _, a := range r.Archives {
		e.str(a.Dest)
		e.str(a.Digest)
	}
	e.files(r.Files)
	e.str(r.Script)
	e.str(orDefault(r.Workdir, "/"))
	e.strs(r.Env)
	e.flag(r.Network)
	return e.sum()
}

// Key returns the identity of a job: SHA-256 in hex digits over everything
// that its outcome depends on. Its Name is left out, and so is what keeps a
// job from being cached: Relays, Tree and Stop. Limits count as OrDefault
// fills them: under other limits the same script may end otherwise.
func Key(job Job) string {
	e := newEncoder(jobScheme)
	e.str(job.Environment)
	e.strs(job.Remove)
	e.files(job.Files)
	e.str(job.Script)
	e.str(orDefault(job.Workdir, "/"))
	e.strs(job.Env)
	e.str(orDefault(job.User, "root"))
	e.flag(job.Network)
	e.limits(job.Limits.OrDefault())
	e.strs(job.Collect)
	e.num(int64(job.Attempt))
	for _, a := range job.Attach {
		e.strs([]string{a.Environment, a.Dir})
	}
	return e.sum()
}

// orDefault is an optional field as it is meant.
func orDefault(value, meant string) string {
	if value == "" {
		return meant
	}
	return value
}

// encoder hashes values so that no two different rows of values have the
// same bytes: numbers have a fixed width, strings and lists their length in
// front.
type encoder struct {
	h   hash.Hash
	buf [8]byte
}

func newEncoder(scheme string) *encoder {
	e := &encoder{h: sha256.New()}
	e.str(scheme)
	return e
}

func (e *encoder) num(n int64) {
	binary.BigEndian.PutUint64(e.buf[:], uint64(n))
	e.h.Write(e.buf[:])
}

func (e *encoder) flag(b bool) {
	if b {
		e.num(1)
	} else {
		e.num(0)
	}
}

func (e *encoder) str(s string) {
	e.num(int64(len(s)))
	_, _ = io.WriteString(e.h, s)
}

func (e *encoder) strs(list []string) {
	e.num(int64(len(list)))
	for _, s := range list {
		e.str(s)
	}
}

func (e *encoder) files(list []File) {
	e.num(int64(len(list)))
	for _, f := range list {
		e.str(f.Path)
		e.str(f.Link)
		if f.Link != "" {
			continue // data and mode mean nothing
		}
		mode := f.Mode & fs.ModePerm
		if f.Mode == 0 {
			mode = FileMode
		}
		e.num(int64(mode))
		e.num(int64(len(f.Data)))
		e.h.Write(f.Data)
	}
}

func (e *encoder) limits(l Limits) {
	e.num(int64(l.Time))
	e.num(l.Memory)
	e.num(int64(math.Float64bits(l.CPUs)))
	e.num(int64(l.Processes))
	e.num(l.Disk)
	e.num(l.Output)
	e.num(l.Collected)
}

func (e *encoder) sum() string { return hex.EncodeToString(e.h.Sum(nil)) }
