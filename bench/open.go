package bench

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// OpenDataset opens a dataset and finds out which form it has: a file of JSON
// or a Parquet file, a folder of Parquet or JSON Lines files, a pattern of
// such files ("data/test-*.parquet"), or a folder of SWE-bench 5's tasks.
// Where a folder holds several configurations or splits, FOLDER:CONFIG@SPLIT
// names one; the split "test" is taken by default. Pipes are rejected.
//
// Instances may have these languages; none means KnownLanguages.
func OpenDataset(name string, languages ...Language) (*Dataset, error) {
	if len(languages) == 0 {
		languages = KnownLanguages()
	}
	src, err := openForm(name)
	if err != nil {
		return nil, err
	}
	return &Dataset{src: src, languages: languages}, nil
}

func openForm(name string) (*source, error) {
	want := parseSelector(name)
	info, err := os.Stat(want.path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(name, "*?["):
		return openPattern(name)
	case err != nil:
		return nil, fmt.Errorf("opening %s: %w", name, err)
	case info.IsDir() && isTaskFolder(want.path):
		return openTaskFolder(name, want)
	case info.IsDir():
		return openFolder(name, want)
	case want.path != name:
		return nil, fmt.Errorf("opening %s: %s is a file: only a folder has configurations and splits", name, want.path)
	case info.Mode().IsRegular() && isParquet(name):
		return newSpool(name, fromFiles([]string{name}))
	}
	return openSource(name)
}

// selector is what a dataset's name says.
type selector struct{ path, config, split string }

// parseSelector splits PATH:CONFIG@SPLIT, unless a file has that name.
func parseSelector(name string) selector {
	whole := selector{path: name}
	if exists(name) {
		return whole
	}
	s := whole
	if at := strings.LastIndexByte(s.path, '@'); at > 0 {
		s.path, s.split = s.path[:at], s.path[at+1:]
	}
	if colon := strings.LastIndexByte(s.path, ':'); colon > 0 && !exists(s.path) {
		s.path, s.config = s.path[:colon], s.path[colon+1:]
	}
	if !exists(s.path) {
		return whole
	}
	return s
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// isParquet recognises a Parquet file by its name or by its first bytes.
func isParquet(path string) bool {
	if strings.EqualFold(filepath.Ext(path), ".parquet") {
		return true
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 4)
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == "PAR1"
}

// openPattern opens all files that a pattern matches, as one dataset.
func openPattern(pattern string) (*source, error) {
	paths, err := filepath.Glob(pattern)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", pattern, err)
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("opening %s: no such file, and no file matches it as a pattern", pattern)
	}
	return newSpool(pattern, fromFiles(paths))
}

// DatasetPaths returns the files and folders that a dataset's name stands
// for; none where there are none.
func DatasetPaths(name string) []string {
	if path := parseSelector(name).path; exists(path) {
		return []string{path}
	}
	paths, err := filepath.Glob(name)
	if err != nil {
		return nil // reported when it is opened
	}
	return paths
}
