package bench

import (
	"fmt"
	"path"
	"strings"
	"unicode"
)

// What the fields of an instance must hold, for people.
const (
	expectedCommit = "a commit id (7 to 40 hex digits)"
	expectedRepo   = "owner/name or a clone URL"
	expectedDiff   = "a diff"
)

// Check returns what keeps an instance from being run, field by field: an id
// that can't name a file, no repository, no commit (where there is no image
// either), no gold or no test patch, an unknown language, impossible limits.
// It looks at the form only: whether patches parse and apply is not known here. The languages are those that it may have; none means
// KnownLanguages.
func (in *Instance) Check(languages ...Language) []*FieldError {
	known := Languages(languages)
	if len(known) == 0 {
		known = KnownLanguages()
	}
	var errs []*FieldError
	check := func(ok bool, field, expected, got string) {
		if !ok {
			errs = append(errs, &FieldError{Field: field, Expected: expected, Got: quoteShort(got)})
		}
	}
	check(isID(in.ID), "instance_id", expectedID, in.ID)
	check(isRepo(in.Repo), "repo", expectedRepo, in.Repo)
	check(isCommit(in.BaseCommit) || in.BaseCommit == "" && in.Image != "", "base_commit", expectedCommit, in.BaseCommit)
	// Style tasks need no change, and are judged without function where there
	// are no tests.
	style := len(in.Style) > 0
	check(style || strings.TrimSpace(in.Patch) != "", "patch", expectedDiff, in.Patch)
	check(style || strings.TrimSpace(in.TestPatch) != "", "test_patch", expectedDiff, in.TestPatch)
	_, isKnown := known.Normalise(in.Language)
	check(isKnown || in.Image != "", "language", known.expected(), in.Language)
	check(!strings.HasPrefix(in.Image, "-") && !strings.ContainsFunc(in.Image, unicode.IsSpace),
		"image", "an image reference", in.Image)
	check(in.Root == "" || strings.HasPrefix(in.Root, "/") && path.Clean(in.Root) == in.Root && in.Root != "/", "root", "an absolute path", in.Root)
	check(in.EvalType == "" || in.EvalType == EvalPassAndFail || in.EvalType == EvalFailOnly,
		"eval_type", "pass_and_fail or fail_only", string(in.EvalType))
	if in.Env != nil {
		errs = append(errs, in.Env.check()...)
	}
	return errs
}

// check returns what is impossible in an env.
func (e *Env) check() []*FieldError {
	var errs []*FieldError
	for _, limit := range []struct {
		field string
		n     int
	}{{"timeout_seconds", e.TimeoutSeconds}, {"memory_mb", e.MemoryMB}} {
		if limit.n < 0 {
			errs = append(errs, &FieldError{Field: "env." + limit.field, Expected: "0 or more", Got: fmt.Sprint(limit.n)})
		}
	}
	for _, name := range sortedKeys(e.Vars) {
		if !isVariable(name) {
			errs = append(errs, &FieldError{Field: "env.vars", Expected: "names of environment variables", Got: quoteShort(name)})
		}
	}
	return errs
}

func isVariable(name string) bool {
	for i, c := range []byte(name) {
		letter := c == '_' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

func isCommit(id string) bool {
	if len(id) < 7 || len(id) > 40 {
		return false
	}
	return strings.Trim(id, "0123456789abcdefABCDEF") == ""
}

// isRepo accepts owner/name, an absolute path, git's scp form and the
// common URLs. Others would be handed to git, which takes a leading dash for
// an option and runs commands for some schemes (ext::).
func isRepo(repo string) bool {
	if repo == "" || repo[0] == '-' || strings.ContainsFunc(repo, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return false
	}
	if scheme, rest, ok := strings.Cut(repo, "://"); ok {
		switch scheme {
		case "https", "http", "ssh", "git", "file":
			return rest != "" && rest[0] != '-'
		}
		return false
	}
	if repo[0] == '/' {
		return true
	}
	if user, rest, ok := strings.Cut(repo, "@"); ok {
		host, path, ok := strings.Cut(rest, ":")
		return ok && isRepoPart(user) && host != "" && host[0] != '-' && path != "" && path[0] != ':'
	}
	owner, name, _ := strings.Cut(repo, "/")
	return isRepoPart(owner) && isRepoPart(name)
}

func isRepoPart(part string) bool {
	if part == "" || part == "." || part == ".." || part[0] == '-' {
		return false
	}
	return !strings.ContainsFunc(part, func(r rune) bool {
		return !(unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-+", r))
	})
}
