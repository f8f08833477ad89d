package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// mutant is one change of one file.
type mutant struct {
	line     int    // of the list, from 1
	file     string // slash-separated, from the repository's root
	old, now string // old is in the file exactly once
}

// fate is the outcome of a mutant.
type fate string

const (
	killed   fate = "killed"
	survived fate = "SURVIVED"
	broken   fate = "does not compile:"
	stale    fate = "no longer fits:"
)

// parse reads a list: blocks of a file name, lines that begin with "- " (the
// old text) and lines that begin with "+ " (the new one), with blank lines
// between them and comments after "#". Errors begin with the line.
func parse(text string) ([]mutant, error) {
	var out []mutant
	var m mutant
	var old, now []string
	end := func(line int) error {
		if m.file == "" {
			return nil
		}
		if len(old) == 0 {
			return fmt.Errorf("%d: expected a line with \"- \" for %s", line, m.file)
		}
		m.old, m.now = strings.Join(old, "\n"), strings.Join(now, "\n")
		out = append(out, m)
		m, old, now = mutant{}, nil, nil
		return nil
	}
	for i, l := range strings.Split(text+"\n", "\n") {
		switch {
		case strings.HasPrefix(l, "#"):
		case strings.TrimSpace(l) == "":
			if err := end(i + 1); err != nil {
				return nil, err
			}
		case m.file == "":
			m = mutant{line: i + 1, file: l}
		case strings.HasPrefix(l, "- "), l == "-":
			old = append(old, strings.TrimPrefix(l[1:], " "))
		case strings.HasPrefix(l, "+ "), l == "+":
			now = append(now, strings.TrimPrefix(l[1:], " "))
		default:
			return nil, fmt.Errorf("%d: expected \"- \", \"+ \" or a blank line, got %q", i+1, l)
		}
	}
	return out, nil
}

// try runs the unit tests with the mutant in place: those of its package, and,
// if they do not notice, those of the packages that import it.
func (m mutant) try() (fate, error) {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return broken, err
	}
	defer os.RemoveAll(dir)
	overlay, err := m.overlay(dir)
	if err != nil {
		return stale, err
	}
	own := "./" + path.Dir(m.file)
	for _, packages := range [][]string{{own}, importers(own)} {
		if len(packages) == 0 {
			continue
		}
		args := append([]string{"test", "-short", "-count=1", "-failfast", "-vet=off", "-timeout=120s", "-overlay", overlay}, packages...)
		out, err := exec.Command("go", args...).CombinedOutput()
		switch {
		case err == nil:
		case strings.Contains(string(out), "[build failed]") || strings.Contains(string(out), "[setup failed]"):
			return broken, fmt.Errorf("%s", firstLines(string(out), 3))
		default:
			return killed, nil
		}
	}
	return survived, nil
}

// overlay writes the changed file and the map that go test -overlay takes.
func (m mutant) overlay(dir string) (string, error) {
	file, err := filepath.Abs(filepath.FromSlash(m.file))
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), m.old); n != 1 {
		return "", fmt.Errorf("the old text stands in the file %d times, expected once", n)
	}
	changed, replace := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(changed, []byte(strings.Replace(string(text), m.old, m.now, 1)), 0o600); err != nil {
		return "", err
	}
	data, err := json.Marshal(map[string]map[string]string{"Replace": {file: changed}})
	if err != nil {
		return "", err
	}
	return replace, os.WriteFile(replace, data, 0o600)
}

// importers are the packages of the judging core that import one, without the
// command and the drivers, whose tests take long.
func importers(pkg string) []string {
	users := map[string][]string{
		"./internal/patch": {"./languages", "./tasks", "./style"},
		"./harness":        {"./languages", "./tasks", "./style"},
		"./languages":      {"./tasks", "./style", "./badpatch"},
		"./style":          {"./tasks", "./agents"},
		"./tasks":          {"./badpatch"},
	}
	return users[pkg]
}

func firstLines(text string, n int) string {
	lines := strings.SplitAfterN(strings.TrimSpace(text), "\n", n+1)
	return strings.TrimSpace(strings.Join(lines[:min(n, len(lines))], ""))
}
