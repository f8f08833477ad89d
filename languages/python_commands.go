package languages

import (
	"regexp"
	"slices"
	"strings"
)

var (
	pipInstall   = regexp.MustCompile(`(?:\bpip[23]?(?:\.exe)?|\bpip[0-9.]*)\s+install\s+([^|;&>]*)`)
	flitInstall  = regexp.MustCompile(`\bflit\s+install\b`)
	extrasOption = regexp.MustCompile(`\b(?:poetry|uv|pdm)\b.*?(?:-E|--extras?|--with)[ =]["']?([A-Za-z0-9_, -]+)`)
	shellWord    = regexp.MustCompile(`"[^"]*"|'[^']*'|\S+`)
	testPackage  = regexp.MustCompile(`(?i)^(pytest|nose|hypothesis|mock|coverage|testfixtures|freezegun|responses)`)
	sideExtra    = regexp.MustCompile(`(?i)^(docs?|documentation|lint|linting|style|mypy|typing|release|build|publish|benchmarks?|gpu|cuda.*)$`)
	sideFile     = regexp.MustCompile(`(?i)doc|lint|style|mypy|typing|release|publish|build|benchmark|cuda|gpu|tpu|nightly|upstream|min|oldest|pypy|windows|mac`)
)

// fromCI takes what the CI's commands install.
func (w *pythonWants) fromCI(repo Repository) {
	for _, p := range repo.Paths() {
		if !ciFile(p) {
			continue
		}
		for i, line := range strings.Split(repo.Text(p), "\n") {
			w.command(repo, finding{line, p, i + 1})
		}
	}
}

// command reads a line with "pip install", "flit install" and their like.
func (w *pythonWants) command(repo Repository, line finding) {
	for _, m := range pipInstall.FindAllStringSubmatch(line.value, -1) {
		w.pip(repo, m[1], line)
	}
	if flitInstall.MatchString(line.value) {
		for _, e := range []string{"test", "dev", "all"} {
			w.extras = append(w.extras, finding{e, line.file, line.line})
		}
	}
	if m := extrasOption.FindStringSubmatch(line.value); m != nil {
		for _, e := range fieldsOf(strings.Split(m[1], " -")[0]) {
			w.extras = append(w.extras, finding{e, line.file, line.line})
		}
	}
}

// pip reads the words after "pip install". Only single packages whose names
// concern tests are taken: others are tools of the CI, or come with the
// project.
func (w *pythonWants) pip(repo Repository, words string, line finding) {
	list := shellWord.FindAllString(words, -1)
	var texts []finding
	for i := 0; i < len(list); i++ {
		word := strings.Trim(list[i], `"'`)
		switch {
		case strings.ContainsAny(word, "${}*"):
		case word == "-r" || word == "--requirement":
			if i++; i < len(list) {
				w.ciFile(repo, strings.Trim(list[i], `"'`))
			}
		case strings.HasPrefix(word, "-r"):
			w.ciFile(repo, strings.TrimPrefix(word, "-r"))
		case slices.Contains([]string{"-c", "-i", "-f", "-t", "--constraint", "--index-url", "--extra-index-url", "--find-links", "--target"}, word):
			i++
		case strings.HasPrefix(word, "-"):
		case strings.HasPrefix(word, "."):
			if _, extras := readRequirement(word); !sideExtras(extras) {
				texts = append(texts, finding{word, line.file, line.line})
			}
		case testPackage.MatchString(word):
			texts = append(texts, finding{word, line.file, line.line})
		}
	}
	w.texts("CI's pip install", "what the CI installs", texts)
}

// sideExtras holds where all that is asked for is documentation or style.
func sideExtras(extras []string) bool {
	return len(extras) > 0 && !slices.ContainsFunc(extras, func(e string) bool { return !sideExtra.MatchString(e) })
}

// ciFile takes a requirements file that the CI installs, unless its name says
// that it is for something else.
func (w *pythonWants) ciFile(repo Repository, file string) {
	file = strings.TrimPrefix(file, "./")
	if !sideFile.MatchString(file) && repo.Text(file) != "" {
		w.file(repo, file, "the CI installs it")
	}
}
