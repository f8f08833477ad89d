package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"assay/bench"
	"assay/harness"
	"assay/languages"
	"assay/report"
	"assay/tasks"
)

// runFolder is the folder of one run: settings, results as they come, logs,
// and the figures at the end.
type runFolder struct {
	dir     string
	store   *bench.Store
	history *harness.History
	fresh   bool              // it held no result when it was opened
	names   map[string]string // of instances' environments as they are now
	host    string            // what environments' names hang on, beside the instance
	steady  bool              // it is what it was when the run was last finished
}

// runLock is what must not change between the parts of an interrupted run.
type runLock struct {
	Version     string   `json:"version"`
	Dataset     string   `json:"dataset_sha256"`
	Revision    string   `json:"dataset_revision,omitempty"`   // of the hub
	Predictions []string `json:"predictions_sha256,omitempty"` // in the order given
	Executor    string   `json:"executor"`
	Tasks       []string `json:"tasks"`
	Full        bool     `json:"full"`
	Agent       string   `json:"agent,omitempty"`
	Limits      string   `json:"limits,omitempty"` // given with the call
}

// openRun makes or reopens the run's folder.
func openRun(ctx context.Context, o evalOptions, ev *evaluation, m *machine, cache string) (*runFolder, error) {
	history, err := harness.OpenHistory(filepath.Join(cache, "durations.json"))
	if err != nil {
		return nil, err
	}
	for i := range ev.items {
		if d, ok := history.Known(ev.items[i].name()); ok {
			ev.items[i].seconds = d.Seconds()
		}
	}
	longestFirst(ev.items)
	lock, err := lockOf(ctx, o, ev.data.Dataset, m)
	if err != nil {
		return nil, err
	}
	r := &runFolder{dir: o.output, history: history, names: map[string]string{}}
	if r.dir == "" {
		r.dir = filepath.Join("runs", lock.id(o))
	}
	if err := r.lay(o, lock); err != nil {
		return nil, err
	}
	if r.store, err = bench.OpenStore(r.path("results.jsonl")); err != nil {
		return nil, err
	}
	r.fresh = len(r.store.Done()) == 0
	return r, nil
}

func (r *runFolder) path(name string) string { return filepath.Join(r.dir, name) }

// lay writes config.yaml and lock.json; a folder that holds the results of
// other input is refused.
func (r *runFolder) lay(o evalOptions, lock runLock) error {
	if err := os.MkdirAll(r.dir, 0o755); err != nil {
		return err
	}
	now, err := json.MarshalIndent(lock, "", "  ")
	if err != nil {
		return err
	}
	before, err := os.ReadFile(r.path("lock.json"))
	switch {
	case err == nil && !bytes.Equal(bytes.TrimSpace(before), now):
		return fmt.Errorf("%s holds a run on other input (see its lock.json): choose another folder with -o", r.dir)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	config, err := yaml.Marshal(configOf(o))
	if err != nil {
		return err
	}
	if err := bench.WriteAtomic(r.path("config.yaml"), config); err != nil {
		return err
	}
	return bench.WriteAtomic(r.path("lock.json"), append(now, '\n'))
}

// configOf says how eval was called, by the names of its flags. What was not
// given and has no default is null.
func configOf(o evalOptions) map[string]any {
	config := map[string]any{
		"dataset": o.name, "predictions": o.predictions, "gold": o.gold, "empty": o.empty, "agent": o.agent,
		"tasks": kindNames(o.kinds), "include": o.include, "exclude": o.exclude,
		"executor": o.executor, "repos": o.repos, "jobs": o.jobs, "full": o.full,
		"min-score": o.minScore, "max-remaining": o.maxRemaining, "min-resolved": nil,
	}
	if o.minResolved >= 0 {
		config["min-resolved"] = o.minResolved
	}
	return config
}

func kindNames(kinds []tasks.Kind) []string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.Name()
	}
	return names
}

func lockOf(ctx context.Context, o evalOptions, set *bench.Dataset, m *machine) (runLock, error) {
	l := runLock{Version: version(), Executor: m.executor, Tasks: kindNames(o.kinds), Full: o.full, Agent: o.agent, Limits: m.Limits.String()}
	l.Revision = o.revision
	var err error
	if l.Dataset, err = set.Digest(ctx); err != nil {
		return l, err
	}
	for _, p := range o.predictions {
		digest, err := fileDigest(p)
		if err != nil {
			return l, err
		}
		l.Predictions = append(l.Predictions, digest)
	}
	return l, nil
}

// id names the run by what goes in, so that the same command finds it again.
func (l runLock) id(o evalOptions) string {
	what := "predictions"
	switch {
	case o.gold:
		what = "gold"
	case o.empty:
		what = "empty"
	case o.agent != "":
		what = o.agent
	case len(o.predictions) == 1:
		what = stem(o.predictions[0])
	}
	data, err := json.Marshal(l)
	if err != nil {
		data = []byte(l.Dataset)
	}
	sum := sha256.Sum256(append(data, what...))
	return fileName(stem(o.name)) + "-" + what + "-" + hex.EncodeToString(sum[:4])
}

func stem(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

func fileDigest(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func (r *runFolder) keep(name string, res bench.Result) error {
	if res.Timing != nil && res.Timing.CacheHit == 0 && res.Verdict.Judged() {
		// The history is a hint: that it cannot be written costs no result.
		_ = r.history.Record(name, time.Duration(res.Timing.Seconds*float64(time.Second)))
	}
	return r.store.Append(res)
}

// log writes what a run printed. A log that cannot be written costs no
// verdict.
func (r *runFolder) log(task tasks.Task, p bench.Prediction, o languages.Outcome) {
	if len(o.Log) == 0 {
		return
	}
	dir := filepath.Join(r.dir, "logs", task.Kind, task.Name(), fileName(p.Model))
	if err := os.MkdirAll(dir, 0o755); err == nil {
		_ = os.WriteFile(filepath.Join(dir, fileName(o.Name)+".log"), o.Log, 0o644)
	}
}

// environment writes how an instance's environment was made. What cannot be
// written costs no verdict.
func (r *runFolder) environment(e tasks.Environment) {
	path := filepath.Join(r.dir, "environments", fileName(e.InstanceID)+".json")
	if data, err := json.MarshalIndent(e, "", "  "); err == nil && os.MkdirAll(filepath.Dir(path), 0o755) == nil {
		_ = bench.WriteAtomic(path, append(data, '\n'))
	}
}

// fileName makes a name of one part out of any text.
func fileName(s string) string {
	clean := strings.Map(func(r rune) rune {
		if r < 32 || strings.ContainsRune(`/\:`, r) {
			return '-'
		}
		return r
	}, s)
	if len(clean) > 100 {
		sum := sha256.Sum256([]byte(s))
		clean = clean[:80] + hex.EncodeToString(sum[:8])
	}
	if strings.Trim(clean, ".") == "" {
		return "-"
	}
	return clean
}

func (r *runFolder) writeSummary(s *report.Summary) error {
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	var md bytes.Buffer
	if err := s.Markdown(&md); err != nil {
		return err
	}
	return errors.Join(
		bench.WriteAtomic(r.path("summary.json"), append(data, '\n')),
		bench.WriteAtomic(r.path("summary.md"), md.Bytes()))
}

// Close closes the results.
func (r *runFolder) Close() error { return r.store.Close() }
