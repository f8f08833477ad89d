package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// isTaskFolder recognises a folder of SWE-bench 5's tasks, or of one task, by
// its content.
func isTaskFolder(folder string) bool {
	if exists(filepath.Join(folder, "sweb.yaml")) || exists(filepath.Join(folder, "task.yaml")) {
		return true
	}
	found, err := filepath.Glob(filepath.Join(escapeGlob(folder), "tasks", "*", "task.yaml"))
	return err == nil && len(found) > 0
}

func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// openTaskFolder opens the tasks of a folder as a dataset.
func openTaskFolder(name string, want selector) (*source, error) {
	parts, err := publishedParts(want)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", name, err)
	}
	return newSpool(name, func(ctx context.Context, emit func(converted) error) error {
		return fromTasks(ctx, want.path, parts, emit)
	})
}

// taskParts reports which tasks of a folder are meant; an empty list means
// all.
type taskParts struct {
	dataset string
	splits  []string
}

func (p taskParts) has(t *task) bool {
	return (p.dataset == "" || slices.Contains(t.datasets, p.dataset)) &&
		(len(p.splits) == 0 || t.split == "" || slices.Contains(p.splits, t.split))
}

// publishedParts reads sweb.yaml: the datasets that are made of the folder,
// and their splits. What is in no such split is meant only where it is named.
func publishedParts(want selector) (taskParts, error) {
	var config struct {
		Datasets []string `yaml:"datasets"`
		Splits   []string `yaml:"splits"`
	}
	text, err := os.ReadFile(filepath.Join(want.path, "sweb.yaml"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return taskParts{}, err
	default:
		if err := yaml.Unmarshal(text, &config); err != nil {
			return taskParts{}, fmt.Errorf("sweb.yaml: %s", yaml.FormatError(err, false, false))
		}
		if len(config.Splits) == 0 {
			config.Splits = []string{"test"}
		}
	}
	parts := taskParts{splits: config.Splits}
	switch {
	case want.split != "":
		parts.splits = []string{want.split}
	case slices.Contains(config.Splits, "test"):
		parts.splits = []string{"test"}
	}
	if want.config == "" {
		return parts, nil
	}
	for _, d := range config.Datasets {
		if d == want.config || path.Base(d) == want.config {
			parts.dataset = d
			return parts, nil
		}
	}
	return parts, fmt.Errorf("sweb.yaml publishes no dataset %q (%s)", want.config, strings.Join(config.Datasets, ", "))
}

// fromTasks returns the tasks of a folder, by name. Nothing outside of the
// folder is read, even if it has links.
func fromTasks(ctx context.Context, folder string, parts taskParts, emit func(converted) error) (err error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	names, err := taskNames(root)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		t := readTask(root, name)
		if !parts.has(t) && t.wrong == nil {
			continue
		}
		line, err := marshal(t.fields)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		file := filepath.Join(folder, name, t.file)
		if err := emit(converted{file: file, key: t.id, json: line, wrong: t.wrong}); err != nil {
			return err
		}
	}
	return nil
}

// taskNames lists the folders of tasks: the one itself, or those in tasks/.
func taskNames(root *os.Root) ([]string, error) {
	if _, err := root.Stat("task.yaml"); err == nil {
		return []string{"."}, nil
	}
	entries, err := fs.ReadDir(root.FS(), "tasks")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		name := path.Join("tasks", e.Name())
		if _, err := root.Stat(path.Join(name, "task.yaml")); err == nil {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, errors.New("tasks/ holds no task: expected tasks/ID/task.yaml")
	}
	return names, nil
}

// task is one task, as the fields of SWE-bench 5's flat form.
type task struct {
	id       string
	fields   map[string]json.RawMessage
	split    string
	datasets []string
	file     string // the file that is wrong
	wrong    *FieldError
}

// fail notes the first thing that is wrong.
func (t *task) fail(file string, wrong *FieldError) {
	if t.wrong == nil {
		t.file, t.wrong = file, wrong
	}
}
