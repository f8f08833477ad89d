package engine

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
	"maps"
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

// Folder is the folder of one run: settings, results as they come, logs, and
// the figures at the end.
type Folder struct {
	Dir string

	store   *bench.Store
	history *harness.History
	fresh   bool              // it held no result when it was opened
	names   map[string]string // of instances' environments as they are now
	host    string            // what environments' names depend on, apart from the instance
	steady  bool              // it is what it was when the run was last finished
}

// lock is what must not change between the parts of an interrupted run.
type lock struct {
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

// OpenFolder makes or reopens the run's folder, and orders the submissions by
// the history of durations in the cache, those known to take longest first. A
// folder that holds a run on other input is an error.
func (ev *Evaluation) OpenFolder(ctx context.Context, m *Machine, cache string) (*Folder, error) {
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
	l, err := ev.lock(ctx, m)
	if err != nil {
		return nil, err
	}
	r := &Folder{Dir: ev.options.Output, history: history, names: map[string]string{}}
	if r.Dir == "" {
		r.Dir = filepath.Join("runs", l.id(ev.options))
	}
	if err := r.prepare(ev.Config(), l); err != nil {
		return nil, err
	}
	if r.store, err = bench.OpenStore(r.path("results.jsonl")); err != nil {
		return nil, err
	}
	r.fresh = len(r.store.Done()) == 0
	return r, nil
}

// Repaired describes what was repaired when the results were opened; empty if
// nothing was.
func (r *Folder) Repaired() string { return r.store.Note() }

// Results is the file of results, a line each.
func (r *Folder) Results() string { return r.path("results.jsonl") }

func (r *Folder) path(name string) string { return filepath.Join(r.Dir, name) }

// prepare writes config.yaml and lock.json. A folder with the results of other
// input is an error.
func (r *Folder) prepare(config map[string]any, l lock) error {
	if err := os.MkdirAll(r.Dir, 0o755); err != nil {
		return err
	}
	now, err := json.MarshalIndent(l, "", "  ")
	if err != nil {
		return err
	}
	before, err := os.ReadFile(r.path("lock.json"))
	switch {
	case err == nil && !bytes.Equal(bytes.TrimSpace(before), now):
		return fmt.Errorf("%s holds a run on other input (see its lock.json): choose another folder with -o", r.Dir)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	called, err := yaml.Marshal(config)
	if err != nil {
		return err
	}
	if err := bench.WriteAtomic(r.path("config.yaml"), called); err != nil {
		return err
	}
	return bench.WriteAtomic(r.path("lock.json"), append(now, '\n'))
}

// Config lists the options of the evaluation by name. Options that were not
// given and have no default are null.
func (ev *Evaluation) Config() map[string]any {
	o := ev.options
	config := map[string]any{
		"dataset": o.Name, "predictions": o.Predictions, "gold": o.Gold, "empty": o.Empty, "agent": o.Agent,
		"tasks": kindNames(ev.plan.kinds), "include": o.Include, "exclude": o.Exclude, "jobs": o.Jobs, "full": o.Full,
	}
	for _, k := range ev.kinds {
		if c, ok := k.(tasks.Configurable); ok {
			for _, option := range c.Options() {
				config[option.Name] = option.Value
			}
		}
	}
	maps.Copy(config, o.Config)
	return config
}

func kindNames(kinds []tasks.Kind) []string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.Name()
	}
	return names
}

func (ev *Evaluation) lock(ctx context.Context, m *Machine) (lock, error) {
	o := ev.options
	l := lock{
		Version: o.Version, Revision: o.Revision, Executor: m.Executor, Tasks: kindNames(ev.plan.kinds), Full: o.Full, Agent: o.Agent, Limits: m.Limits.String(),
	}
	var err error
	if l.Dataset, err = ev.data.Digest(ctx); err != nil {
		return l, err
	}
	for _, p := range o.Predictions {
		digest, err := fileDigest(p)
		if err != nil {
			return l, err
		}
		l.Predictions = append(l.Predictions, digest)
	}
	return l, nil
}

// id names the run by what goes in, so that the same command finds it again.
func (l lock) id(o Options) string {
	data, err := json.Marshal(l)
	if err != nil {
		data = []byte(l.Dataset)
	}
	what := o.submitter()
	sum := sha256.Sum256(append(data, what...))
	return fileName(stem(o.Name)) + "-" + what + "-" + hex.EncodeToString(sum[:4])
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

func (r *Folder) keep(name string, res bench.Result) error {
	if res.Timing != nil && res.Timing.CacheHit == 0 && res.Verdict.Judged() {
		// The history is a hint: that it cannot be written costs no result.
		_ = r.history.Record(name, time.Duration(res.Timing.Seconds*float64(time.Second)))
	}
	return r.store.Append(res)
}

// log writes what a run printed. A log that cannot be written costs no
// verdict.
func (r *Folder) log(task tasks.Task, p bench.Prediction, o languages.Outcome) {
	if len(o.Log) == 0 {
		return
	}
	dir := filepath.Join(r.Dir, "logs", task.Kind, task.Name(), fileName(p.Model))
	if err := os.MkdirAll(dir, 0o755); err == nil {
		_ = os.WriteFile(filepath.Join(dir, fileName(o.Name)+".log"), o.Log, 0o644)
	}
}

// environment writes how an instance's environment was made. What cannot be
// written costs no verdict.
func (r *Folder) environment(e tasks.Environment) {
	path := filepath.Join(r.Dir, "environments", fileName(e.InstanceID)+".json")
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

func (r *Folder) writeSummary(s *report.Summary) error {
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
func (r *Folder) Close() error { return r.store.Close() }
