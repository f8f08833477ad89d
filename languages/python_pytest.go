package languages

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// pytestSettings are pytest's settings as one text of "key = value" lines, from
// the file that pytest would take.
func pytestSettings(repo Repository) finding {
	for _, x := range []struct{ file, section string }{
		{"pytest.ini", "pytest"}, {".pytest.ini", "pytest"}, {"pyproject.toml", ""}, {"tox.ini", "pytest"}, {"setup.cfg", "tool:pytest"}, {"setup.cfg", "pytest"},
	} {
		text := repo.Text(x.file)
		if x.file == "pyproject.toml" {
			p := readPyproject(text)
			if p.Tool.Pytest.Options == nil {
				continue
			}
			out := finding{file: x.file, line: wordLine(text, "pytest.ini_options")}
			for _, k := range slices.Sorted(maps.Keys(p.Tool.Pytest.Options)) {
				out.value += fmt.Sprintf("%s = %s\n", k, settingWords(p.Tool.Pytest.Options[k]))
			}
			return out
		}
		ini := parseINI(x.file, text)
		section, ok := ini.sections[x.section]
		if !ok && x.file != "pytest.ini" {
			continue
		}
		if !ok && text == "" {
			continue
		}
		out := finding{file: x.file, line: 1}
		for _, k := range slices.Sorted(maps.Keys(section)) {
			out.value += k + " = " + section[k].text + "\n"
		}
		return out
	}
	return finding{}
}

// settingWords joins a list of settings.
func settingWords(v any) string {
	if list, ok := v.([]any); ok {
		var out []string
		for _, e := range list {
			out = append(out, fmt.Sprint(e))
		}
		return strings.Join(out, " ")
	}
	return fmt.Sprint(v)
}

// addopts are the command line options of the settings.
func addopts(settings string) []string {
	m := regexp.MustCompile(`(?ms)^addopts = (.*?)(?:\n[a-z_]+ = |\z)`).FindStringSubmatch(settings)
	if m == nil {
		return nil
	}
	return regexp.MustCompile(`(?:[^\s"']+|"[^"]*"|'[^']*')+`).FindAllString(m[1], -1)
}

// runnerArgs are options that keep the repository's settings from changing what
// a judged run means: coverage, parallel runs, stopping early and checks of
// style are left out.
func runnerArgs(repo Repository) ([]string, []string) {
	given := addopts(pytestSettings(repo).value)
	out, left := []string{}, []string{}
	unwanted := regexp.MustCompile(`^(--no-?cov.*|--cov.*|--flake8|--pep8|--pycodestyle|--black|--isort|--mypy.*|--ruff.*|--pylint.*|-x|--exitfirst|--maxfail.*|--lf|--ff|--nf|--sw|--pdb|--junit-?xml.*|--html.*|--durations.*|--forked|--looponfail|--json-report.*|--reruns.*|--randomly.*|--random-order.*|--testmon|--benchmark-.*save.*|--collect-only|--co|--self-contained-html|--numprocesses.*|--dist.*|-n.*|--docstyle.*)$`)
	paired := regexp.MustCompile(`^(-n|--numprocesses|--dist|--maxfail|--durations|--junitxml|--junit-xml|--html|--reruns|--cov-report|--cov-config|--cov-fail-under|--cov)$`)
	for i := 0; i < len(given); i++ {
		word := strings.Trim(given[i], `"'`)
		if !unwanted.MatchString(word) {
			out = append(out, given[i])
			continue
		}
		left = append(left, word)
		if paired.MatchString(word) && i+1 < len(given) && !strings.HasPrefix(given[i+1], "-") && word != "--cov" {
			i++
		}
	}
	if len(left) == 0 {
		return nil, nil
	}
	return []string{"-o", "addopts=" + strings.Join(out, " ")}, left
}
