package bench

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// dataFile is a file of a folder, by what its name says.
type dataFile struct {
	path          string
	config, split string
	shard, shards int // the shard's number from 0 on, and how many there are; 0 where it is not one of several
}

// openFolder opens the files of a folder that belong to one configuration and
// split, as one dataset.
func openFolder(name string, want selector) (*source, error) {
	files, err := dataFiles(want.path)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", name, err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("opening %s: the folder holds no *.parquet, no *.jsonl and no tasks/ID/task.yaml", name)
	}
	paths, err := pick(files, want)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", name, err)
	}
	return newSpool(name, fromFiles(paths))
}

// ChooseFiles returns, of the files of a dataset's folder, those that
// OpenDataset would read for FOLDER:CONFIG@SPLIT, sorted. The paths are
// relative to the folder, with slashes.
func ChooseFiles(relative []string, config, split string) ([]string, error) {
	found := map[string][]dataFile{}
	for _, p := range relative {
		if hidden := strings.HasPrefix(p, ".") || strings.Contains(p, "/."); !hidden {
			f := describeFile(p)
			f.path = p
			ext := strings.ToLower(path.Ext(p))
			found[ext] = append(found[ext], f)
		}
	}
	files := found[".parquet"]
	if len(files) == 0 {
		files = found[".jsonl"]
	}
	if len(files) == 0 {
		return nil, errors.New("it holds no *.parquet and no *.jsonl")
	}
	return pick(files, selector{config: config, split: split})
}

// dataFiles lists the Parquet files of a folder and of those below, or else
// the files of JSON Lines, by name.
func dataFiles(folder string) ([]dataFile, error) {
	found := map[string][]dataFile{}
	err := filepath.WalkDir(folder, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case p != folder && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return filepath.SkipDir
			}
		case !d.IsDir():
			relative, err := filepath.Rel(folder, p)
			if err != nil {
				return err
			}
			f := describeFile(filepath.ToSlash(relative))
			f.path = p
			ext := strings.ToLower(filepath.Ext(p))
			found[ext] = append(found[ext], f)
		}
		return nil
	})
	if files := found[".parquet"]; len(files) > 0 {
		return files, err
	}
	return found[".jsonl"], err
}

// describeFile finds configuration and split by the file names that the hub
// uses: data/SPLIT-00000-of-00001.parquet, CONFIG/SPLIT-..., as the hub
// itself converts them CONFIG/SPLIT/0000.parquet, and SPLIT.parquet. Files of
// other names belong to no split.
func describeFile(relative string) dataFile {
	folder, base := path.Split(relative)
	parents := strings.Split(strings.Trim(folder, "/"), "/")
	stem := strings.TrimSuffix(base, path.Ext(base))
	var f dataFile
	// Older ones end with a digest.
	shardName := regexp.MustCompile(`^(.+)-(\d{5})-of-(\d{5})(-[0-9a-f]+)?$`)
	last := parents[len(parents)-1]
	switch m := shardName.FindStringSubmatch(stem); {
	case m != nil:
		f.split = m[1]
		f.shard, _ = strconv.Atoi(m[2])
		f.shards, _ = strconv.Atoi(m[3])
	case strings.Trim(stem, "0123456789") == "" && last != "":
		f.split, parents = last, parents[:len(parents)-1]
	case slices.Contains([]string{"train", "test", "dev", "validation"}, stem):
		f.split = stem
	}
	if len(parents) == 1 && parents[0] == "data" {
		parents = nil
	}
	f.config = strings.Join(parents, "/")
	return f
}

// pick returns the paths of one configuration and split, in order.
func pick(files []dataFile, want selector) ([]string, error) {
	config, err := choose("configuration", ":", want.config, "default", files, func(f dataFile) string { return f.config })
	if err != nil {
		return nil, err
	}
	files = slices.DeleteFunc(slices.Clone(files), func(f dataFile) bool { return f.config != config })
	split, err := choose("split", "@", want.split, "test", files, func(f dataFile) string { return f.split })
	if err != nil {
		return nil, err
	}
	files = slices.DeleteFunc(files, func(f dataFile) bool { return f.split != split })
	slices.SortFunc(files, func(a, b dataFile) int { return strings.Compare(a.path, b.path) })
	return paths(files)
}

// choose returns the value that was asked for, or the only one, or the usual
// one.
func choose(what, sign, asked, usual string, files []dataFile, of func(dataFile) string) (string, error) {
	seen := map[string]bool{}
	for _, f := range files {
		seen[of(f)] = true
	}
	names := sortedKeys(seen)
	switch {
	case seen[asked] && asked != "":
		return asked, nil
	case asked != "":
		return "", fmt.Errorf("there is no %s %q (%s)", what, asked, strings.Join(names, ", "))
	case len(names) == 1:
		return names[0], nil
	case seen[usual]:
		return usual, nil
	case seen[""]:
		return "", nil
	}
	return "", fmt.Errorf("several %ss (%s): name one by %sNAME after the folder", what, strings.Join(names, ", "), sign)
}

// paths returns the files' paths, and an error where a shard is missing.
func paths(files []dataFile) ([]string, error) {
	var out []string
	there := map[int]bool{}
	for _, f := range files {
		out = append(out, f.path)
		there[f.shard] = true
	}
	for _, f := range files {
		for i := range f.shards {
			if !there[i] {
				return nil, fmt.Errorf("shard %d of %d is missing (%s is there)", i+1, f.shards, filepath.Base(f.path))
			}
		}
	}
	return out, nil
}
