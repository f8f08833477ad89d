package collect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"assay/bench"
	"assay/internal/jsonl"
)

// FromModel is a statement that a model wrote, since there is no issue.
const FromModel StatementSource = "model"

// statementsFile holds the statements that a model wrote, a line each.
const statementsFile = "statements.jsonl"

// Untold is a valid instance without an issue.
type Untold struct {
	Instance *bench.Instance // its statement is the change's own text
	// Failing are the fail-to-pass tests with their messages without gold.
	Failing []bench.Test
	// Names are what hidden tests use, gold introduces and base does not have.
	Names []string
	Base  func(path string) ([]byte, error)
}

// Author writes problem statements.
type Author interface {
	// Name is who writes: the model, with all that decides what it is asked.
	Name() string
	// Write returns a statement, or "" with the reasons in the report.
	Write(ctx context.Context, u Untold) (text string, leak bench.LeakReport, err error)
}

// Statement is the result of asking for one: a line of statements.jsonl.
type Statement struct {
	ID     string `json:"id"`
	Author string `json:"author"`
	// Text is "" where no draft could be taken.
	Text string           `json:"text,omitempty"`
	Leak bench.LeakReport `json:"leak"`
	// Names are those of Untold that the text does not mention.
	Names []string `json:"unmentioned_names,omitempty"`
}

// WriteStatements has an author write the statements of valid instances that
// have no issue, and writes the instances again. An author is asked only once
// for an instance.
func (f *Folder) WriteStatements(ctx context.Context, a Author, sources []Source) error {
	have := map[string]bool{}
	file, err := jsonl.Open(filepath.Join(f.Dir, statementsFile), func(_ jsonl.Line, text []byte) error {
		var s Statement
		if err := json.Unmarshal(text, &s); err != nil {
			return err
		}
		have[s.ID] = have[s.ID] || s.Text != "" || s.Author == a.Name()
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(f.Dir, statementsFile), err)
	}
	checked := map[string]Checked{}
	for _, c := range f.Checked {
		checked[c.ID] = c
	}
	for _, s := range sources {
		for _, p := range f.Parts {
			c := checked[p.ID]
			if err != nil || p.Repo != s.Name || p.Instance == nil || c.ID == "" || c.Dropped != "" || have[p.ID] {
				continue
			}
			err = f.author(ctx, a, s, p, c, file)
		}
	}
	return errors.Join(err, file.Close(), f.rewrite())
}

// author has one statement written, unless there is an issue.
func (f *Folder) author(ctx context.Context, a Author, s Source, p Part, c Checked, file *jsonl.File) error {
	about, err := p.about()
	if err != nil || slices.Contains(about.Statement, FromIssue) {
		return err
	}
	u := Untold{Instance: p.Instance, Base: s.reader(ctx, p.Instance.BaseCommit)}
	for _, id := range c.FailToPass {
		u.Failing = append(u.Failing, bench.Test{ID: id, Status: c.States[id][1], Message: c.Messages[id]})
	}
	silent := *p.Instance
	silent.ProblemStatement = ""
	if u.Names, err = s.Unmentioned(ctx, &silent); err != nil {
		return err
	}
	text, leak, err := a.Write(ctx, u)
	if err != nil {
		return err
	}
	done := Statement{ID: p.ID, Author: a.Name(), Text: text, Leak: leak, Names: slices.DeleteFunc(u.Names, func(n string) bool { return strings.Contains(text, n) })}
	line, err := json.Marshal(done)
	if err == nil {
		_, err = file.Append(line)
	}
	if err == nil {
		f.Statements = append(f.Statements, done)
	}
	return err
}

// reader reads files of a commit.
func (s Source) reader(ctx context.Context, commit string) func(string) ([]byte, error) {
	return func(path string) ([]byte, error) {
		tree, err := s.Repo.Tree(ctx, commit)
		if err != nil {
			return nil, err
		}
		e, err := tree.Read(path)
		return e.Data, err
	}
}

// rewrite writes the instances again from what the folder holds.
func (f *Folder) rewrite() error {
	p, err := f.openProgress(0)
	if err != nil {
		return err
	}
	for _, file := range p.files {
		err = errors.Join(err, file.Close())
	}
	return errors.Join(err, f.writeResults(p))
}

// written are the statements that models wrote, by instance.
func (f *Folder) written() map[string]Statement {
	by := map[string]Statement{}
	for _, s := range f.Statements {
		if s.Text != "" {
			by[s.ID] = s
		}
	}
	return by
}

// tell gives an instance the statement that a model wrote.
func (about *Collected) tell(inst *bench.Instance, s Statement) {
	if s.Text == "" {
		return
	}
	inst.ProblemStatement = s.Text
	about.Statement, about.Author, about.Leak, about.Names = []StatementSource{FromModel}, s.Author, &s.Leak, s.Names
	inst.Provenance = &bench.Provenance{Notes: "collected from the history; problem statement: written by a model (" + s.Author + ") from the messages of failing tests and the change's own"}
}

// about reads where the part's instance comes from.
func (p Part) about() (Collected, error) {
	var about Collected
	if err := json.Unmarshal(p.Instance.Extra[extraField], &about); err != nil {
		return about, fmt.Errorf("%s: %s: %w", p.ID, extraField, err)
	}
	return about, nil
}
