package collect

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/internal/atomicfile"
)

// The files of a folder: what each stage left.
const (
	stateFile      = "collect.json"
	candidatesFile = "candidates.jsonl"
	splitFile      = "split.jsonl"
)

// Folder is where a collection is kept. A repository that is collected again at
// a later commit adds what is new: earlier lines stay as they are.
type Folder struct {
	Dir   string
	state state
	// These are the lines of the stages' files.
	Candidates []Change
	Parts      []Part
	SetUps     []SetUp
	Checked    []Checked
	Statements []Statement
}

// state is what a folder was made with.
type state struct {
	Filter Filter `json:"filter"`
	// Repositories are in the order in which they came.
	Repositories []repository `json:"repositories"`
}

type repository struct {
	Name    string `json:"name"`
	Licence string `json:"licence,omitempty"` // at the first of these commits
	// CutOffs are the commits up to which the history was searched, in order.
	CutOffs []string `json:"cut_offs"`
	// Issues is the SHA-256 of the export of issues at the last cut-off, with
	// "github" in front where GitHub was asked; "" where there was none.
	Issues string `json:"issues_sha256,omitempty"`
	// Stars are GitHub's, at the last of these commits.
	Stars int `json:"stars,omitempty"`
	// Limit and GiveUp are those of the last Plan with which it was validated.
	Limit  int `json:"limit,omitempty"`
	GiveUp int `json:"give_up,omitempty"`
}

// OpenFolder opens a folder, or makes it. It is an error when the folder was
// made with another filter: what it holds would be a mixture.
func OpenFolder(dir string, f Filter) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	folder, err := readFolder(dir)
	if err != nil {
		return nil, err
	}
	if folder.state.Repositories == nil {
		folder.state.Filter = f
	}
	if has := folder.state.Filter; has != f {
		return nil, fmt.Errorf("%s holds a collection with other filters (%s, now %s): choose another folder", dir, has, f)
	}
	return folder, nil
}

// ReadFolder reads a folder that must be there.
func ReadFolder(dir string) (*Folder, error) {
	if _, err := os.Stat(filepath.Join(dir, stateFile)); err != nil {
		return nil, fmt.Errorf("%s holds no collection: %w", dir, err)
	}
	return readFolder(dir)
}

func readFolder(dir string) (*Folder, error) {
	f := &Folder{Dir: dir}
	data, err := os.ReadFile(filepath.Join(dir, stateFile))
	if err == nil {
		if err = json.Unmarshal(data, &f.state); err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Join(dir, stateFile), err)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if f.Candidates, err = readLines[Change](filepath.Join(dir, candidatesFile)); err != nil {
		return nil, err
	}
	if f.Parts, err = readLines[Part](filepath.Join(dir, splitFile)); err != nil {
		return nil, err
	}
	if f.SetUps, err = readLines[SetUp](filepath.Join(dir, setUpFile)); err != nil {
		return nil, err
	}
	if f.Checked, err = readLines[Checked](filepath.Join(dir, validatedFile)); err != nil {
		return nil, err
	}
	f.Statements, err = readLines[Statement](filepath.Join(dir, statementsFile))
	return f, err
}

// String lists the bounds as flags.
func (f Filter) String() string {
	date := func(t time.Time) string {
		if t.IsZero() {
			return "none"
		}
		return t.Format(time.RFC3339)
	}
	return fmt.Sprintf("--since %s --until %s --max-files %d --max-lines %d --unlinked=%t --min-share %d", date(f.Since), date(f.Until), f.MaxFiles, f.MaxLines, f.Unlinked, f.MinShare)
}

// Gather runs Find and Split on a repository, as far as that was not done
// before, and writes what they found. Another export of issues is taken with
// new commits, and says nothing of those that were split before; without new
// commits it would have no effect, and is an error.
func (f *Folder) Gather(ctx context.Context, s Source, issues Issues) error {
	export := issues
	if s.Forge != nil {
		s.Licence = cmp.Or(s.Licence, s.Forge.Licence())
	}
	issues = s.Forge.with(export)
	if f.Searched(s) {
		if err := f.checkIssues(s, issues); err != nil {
			return err
		}
	} else if err := f.find(ctx, s, issues); err != nil {
		return err
	}
	have := map[string]bool{}
	for _, p := range f.Parts {
		have[p.ID] = true
	}
	var todo []Change
	for _, c := range f.Candidates {
		if c.Repo == s.Name && c.Dropped == "" && !have[c.ID] {
			todo = append(todo, c)
		}
	}
	if len(todo) == 0 {
		return writeLines(filepath.Join(f.Dir, splitFile), f.Parts)
	}
	if s.Forge != nil && s.API != nil {
		if err := s.Forge.Lookup(ctx, s.API, todo); err != nil {
			return err
		}
		issues = s.Forge.with(export)
	}
	parts, err := Split(ctx, s, f.state.Filter, issues, todo, f.Parts)
	if err != nil {
		return err
	}
	f.Parts = append(f.Parts, parts...)
	return writeLines(filepath.Join(f.Dir, splitFile), f.Parts)
}

func (f *Folder) checkIssues(s Source, issues Issues) error {
	said := func(digest string) string {
		var words []string
		export, hub := strings.CutPrefix(digest, "github")
		if hub {
			words = append(words, "GitHub")
		}
		if export = strings.TrimSpace(export); export != "" {
			words = append(words, "sha256 "+export[:min(12, len(export))])
		}
		return cmp.Or(strings.Join(words, " and "), "none")
	}
	for _, r := range f.state.Repositories {
		if r.Name == s.Name && r.Issues != issues.digest {
			return fmt.Errorf("%s holds %s with other issues (%s, now %s): it has no new commits, so give the same --issues (and --api), or choose another folder", f.Dir, s.Name, said(r.Issues), said(issues.digest))
		}
	}
	return nil
}

// Searched reports whether the source's history was searched up to its head.
func (f *Folder) Searched(s Source) bool {
	return slices.ContainsFunc(f.state.Repositories, func(r repository) bool {
		return r.Name == s.Name && slices.Contains(r.CutOffs, s.Head)
	})
}

// find adds the changes that no earlier search has seen.
func (f *Folder) find(ctx context.Context, s Source, issues Issues) error {
	changes, err := Find(ctx, s, f.state.Filter)
	if err != nil {
		return err
	}
	seen, taken := map[string]bool{}, map[string]bool{}
	for _, c := range f.Candidates {
		seen[c.Repo+"\n"+c.Commit], taken[c.ID] = true, true
	}
	for _, c := range changes {
		if seen[c.Repo+"\n"+c.Commit] {
			continue
		}
		if taken[c.ID] {
			c.ID += "-" + c.Commit[:12]
		}
		f.Candidates = append(f.Candidates, c)
	}
	if err := writeLines(filepath.Join(f.Dir, candidatesFile), f.Candidates); err != nil {
		return err
	}
	at := slices.IndexFunc(f.state.Repositories, func(r repository) bool { return r.Name == s.Name })
	if at < 0 {
		at = len(f.state.Repositories)
		f.state.Repositories = append(f.state.Repositories, repository{Name: s.Name, Licence: s.Licence})
	}
	r := &f.state.Repositories[at]
	r.Issues = issues.digest
	if s.Forge != nil {
		r.Stars, r.Licence = s.Forge.about.Stars, cmp.Or(r.Licence, s.Forge.Licence())
	}
	r.CutOffs = append(r.CutOffs, s.Head)
	return f.writeState()
}

// setBounds notes how many instances of the sources are wanted.
func (f *Folder) setBounds(sources []Source, plan Plan) error {
	for _, s := range sources {
		for i := range f.state.Repositories {
			if r := &f.state.Repositories[i]; r.Name == s.Name {
				r.Limit, r.GiveUp = plan.Limit, plan.GiveUp
			}
		}
	}
	return f.writeState()
}

func (f *Folder) writeState() error {
	data, err := json.MarshalIndent(f.state, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(f.Dir, stateFile), append(data, '\n'))
}

// readLines reads JSON Lines; none where there is no file. A last line that was
// cut while it was written does not count.
func readLines[T any](path string) ([]T, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []T
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var v T
		if err := json.Unmarshal(line, &v); err != nil {
			if !bytes.HasSuffix(line, []byte("\n")) {
				return out, nil
			}
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		out = append(out, v)
	}
	return out, nil
}

// writeLines replaces a file of JSON Lines.
func writeLines[T any](path string, list []T) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	for _, v := range list {
		if err := enc.Encode(v); err != nil {
			return fmt.Errorf("writing %s: %w", path, err)
		}
	}
	return writeFile(path, buf.Bytes())
}

func writeFile(path string, data []byte) error {
	return atomicfile.Write(path, data, atomicfile.Options{Mode: 0o644})
}
