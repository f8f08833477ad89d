package attempts

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// ReadRecords reads the finished attempts of a folder, which a run may have open
// meanwhile: the newest of each place, sorted as by Folder.Records.
func ReadRecords(dir string) ([]Record, error) {
	path := filepath.Join(dir, journalFile)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: expected the folder of assay run, and there is no %s", dir, journalFile)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	newest := map[slot]Record{}
	lines := bufio.NewReader(f)
	for {
		text, err := lines.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("reading %s: %w", path, err)
		}
		var r Record
		if json.Unmarshal(text, &r) == nil && r.Key != "" && r.Finished {
			newest[r.slot()] = r
		}
		if err == io.EOF {
			break
		}
	}
	var out []Record
	for _, r := range newest {
		out = append(out, r)
	}
	slices.SortFunc(out, compareRecords)
	return out, nil
}

// Name is the attempt's name for people, and on the command line: its kind and
// task, and from the second on its number.
func (r Record) Name() string { return r.slot().String() }

// Trajectory is the path of the attempt's trajectory below the run's folder.
func (r Record) Trajectory() string { return filepath.Join(r.Dir, trajectoryFile) }

// Prompt reads what the agent was asked; dir is the run's folder.
func (r Record) Prompt(dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, r.Dir, promptFile))
	return string(text), err
}

// Submission reads the patch; dir is the run's folder.
func (r Record) Submission(dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, r.Dir, patchFile))
	return string(text), err
}
