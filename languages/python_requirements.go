package languages

import (
	"path"
	"regexp"
	"strings"
)

// requirement is one that a file of the repository names, in the form of
// PEP 508.
type requirement struct {
	text string
	name string // normalised: lower case, with hyphens
	file string
	line int
}

// requirementFile is what a requirements file asks for, with the files that it
// includes.
type requirementFile struct {
	requirements []requirement
	extras       []string // of the project itself: -e .[test]
	dropped      []requirement
}

const maxIncluded = 8

// parseRequirements reads a requirements file of pip. What is not available
// from an index by name (local paths, archives, repositories without a name)
// and options are dropped; a repository with a name becomes that name.
func parseRequirements(repo Repository, file string) requirementFile {
	var out requirementFile
	out.read(repo, path.Clean(file), map[string]bool{}, 0)
	return out
}

func (r *requirementFile) read(repo Repository, file string, seen map[string]bool, depth int) {
	if seen[file] || depth > maxIncluded {
		return
	}
	seen[file] = true
	lines := strings.Split(strings.ReplaceAll(repo.Text(file), "\r\n", "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		first, line := i, lines[i]
		for strings.HasSuffix(line, "\\") && i+1 < len(lines) {
			i++
			line = strings.TrimSuffix(line, "\\") + " " + lines[i]
		}
		r.line(repo, file, first+1, line, seen, depth)
	}
}

func (r *requirementFile) line(repo Repository, file string, n int, line string, seen map[string]bool, depth int) {
	line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff"))
	if at := strings.Index(line, " #"); at >= 0 {
		line = strings.TrimSpace(line[:at])
	}
	if line == "" || strings.HasPrefix(line, "#") {
		return
	}
	if to, ok := option(line, "-r", "--requirement"); ok {
		to = strings.ReplaceAll(to, "{toxinidir}/", "/")
		if strings.HasPrefix(to, "/") {
			to = strings.TrimPrefix(to, "/")
		} else {
			to = path.Join(path.Dir(file), to)
		}
		r.read(repo, path.Clean(to), seen, depth+1)
		return
	}
	if to, ok := option(line, "-e", "--editable"); ok {
		line = to
	}
	req, extras := readRequirement(line)
	req.file, req.line = file, n
	r.extras = append(r.extras, extras...)
	switch {
	case req.name != "":
		r.requirements = append(r.requirements, req)
	case len(extras) == 0 && line != ".":
		req.text = line
		r.dropped = append(r.dropped, req)
	}
}

// option reads the value of an option in its short or long form.
func option(line, short, long string) (string, bool) {
	for _, o := range []string{long, short} {
		if rest, ok := strings.CutPrefix(line, o); ok && rest != "" && (o == short || rest[0] == ' ' || rest[0] == '=') {
			return strings.Trim(strings.TrimLeft(rest, " ="), `"' `), true
		}
	}
	return "", false
}

var (
	ownExtras        = regexp.MustCompile(`^(?:\{toxinidir\}/?)?\.?/?\[([A-Za-z0-9_.,\s-]+)\]$`)
	eggName          = regexp.MustCompile(`[#&]egg=([A-Za-z0-9_.\-]+(?:\[[A-Za-z0-9_,.-]*\])?)`)
	namedRequirement = regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9_.\-]*)\s*(\[[A-Za-z0-9_,.\s-]*\])?\s*(.*)$`)
	specifierStart   = regexp.MustCompile(`^\(?\s*[<>=!~]`)
	wordVersion      = regexp.MustCompile(`^[<>=!~]+\s*[A-Za-z]`)
	localVersion     = regexp.MustCompile(`\+[A-Za-z0-9.]+`)
	nameSeparators   = regexp.MustCompile(`[-_.]+`)
)

// readRequirement reads one requirement. extras are those of the project
// itself, where that is what the line means.
func readRequirement(line string) (requirement, []string) {
	line = strings.TrimSpace(strings.Split(line, " --")[0])
	if m := ownExtras.FindStringSubmatch(line); m != nil {
		return requirement{}, fieldsOf(m[1])
	}
	if m := eggName.FindStringSubmatch(line); m != nil && !strings.Contains(line, " @ ") {
		return requirement{text: m[1], name: distName(m[1])}, nil
	}
	m := namedRequirement.FindStringSubmatch(line)
	if m == nil || strings.HasPrefix(m[3], ":") || strings.HasPrefix(m[3], "/") {
		return requirement{}, nil
	}
	spec, marker, _ := strings.Cut(m[3], ";")
	spec = strings.TrimSpace(spec)
	if strings.HasPrefix(spec, "@") {
		spec = ""
	}
	if spec != "" && !specifierStart.MatchString(spec) {
		return requirement{}, nil
	}
	text := m[1] + strings.ReplaceAll(m[2], " ", "") + plainSpecifier(spec)
	if marker = strings.TrimSpace(marker); marker != "" {
		text += " ; " + marker
	}
	return requirement{text: text, name: distName(m[1])}, nil
}

// plainSpecifier drops what today's tools refuse: versions that are words
// (">dev"), and local versions, which other indexes serve ("==2.6.0+cpu").
func plainSpecifier(spec string) string {
	var out []string
	for _, part := range strings.Split(strings.Trim(spec, "() "), ",") {
		part = strings.TrimSpace(part)
		if part != "" && !wordVersion.MatchString(part) {
			out = append(out, strings.ReplaceAll(localVersion.ReplaceAllString(part, ""), " ", ""))
		}
	}
	return strings.Join(out, ",")
}

// distName is a distribution's name as PEP 503 compares them.
func distName(name string) string {
	name, _, _ = strings.Cut(name, "[")
	return strings.ToLower(nameSeparators.ReplaceAllString(name, "-"))
}

// fieldsOf splits a list at commas and blanks.
func fieldsOf(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\t' })
}
