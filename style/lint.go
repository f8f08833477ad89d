package style

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"assay/bench"
	"assay/harness"
	"assay/internal/patch"
	"assay/languages"
)

// LintOutcome is what linting one variant showed.
type LintOutcome struct {
	// State is RunDone; RunUnbuilt where a file cannot be parsed; or what
	// kept the linter from ending (RunUnapplied, RunTimeout, RunLimit).
	State  bench.RunState
	Detail string
	// Findings of the files asked for, sorted, each once; suppressed ones
	// too.
	Findings []bench.Finding
	// Broken are the files that cannot be parsed, sorted.
	Broken []string
	// Sources are the files asked for, as they are in the variant.
	Sources map[string][]byte
	// Watched are the other files asked for, as they are in the variant.
	Watched map[string][]byte
	// Suppressions that the sources ask for.
	Suppressions []Suppression
	Unapplied    *languages.UnappliedError
	Environment  string
	Log          []byte
	Timings      harness.Timings
	Cached       bool
}

// Lint runs a linter on files of a variant, with all suppressions
// neutralised, and reads the files to watch. Files that the variant lacks are
// left out. An error means that it could not be done; it wraps *ToolError
// where the linter failed.
func Lint(ctx context.Context, bed *languages.Testbed, v languages.Variant, linter Linter, rules Rules, files, watch []string) (LintOutcome, error) {
	out := LintOutcome{}
	tree, _, err := bed.Tree(ctx, v, slices.Concat(files, watch)...)
	if errors.As(err, &out.Unapplied) {
		out.State, out.Detail = bench.RunUnapplied, err.Error()
		return out, nil
	}
	if err != nil {
		return out, err
	}
	req := Request{Rules: rules, Dir: bed.Dir("lint", v), Args: bed.Env().Args, Sources: map[string][]byte{}}
	if out.Watched, err = texts(tree, watch); err != nil {
		return out, err
	}
	out.Sources, err = texts(tree, files)
	if err != nil {
		return out, err
	}
	var put []harness.File
	for _, path := range slices.Sorted(maps.Keys(out.Sources)) {
		clean, hushed := neutralised([]Linter{linter}, linter.About().Language, path, out.Sources[path])
		req.Sources[path] = clean
		out.Suppressions = append(out.Suppressions, hushed...)
		req.Files = append(req.Files, path)
		e, err := tree.Read(path)
		if err != nil {
			return out, fmt.Errorf("reading %s: %w", path, err)
		}
		put = append(put, harness.File{Path: bed.Root() + "/" + path, Data: clean, Mode: fs.FileMode(e.Mode & 0o777)})
	}
	if len(req.Files) == 0 {
		out.State, out.Detail = bench.RunDone, "none of the files exist"
		return out, nil
	}
	return out, out.run(ctx, bed, v, linter, req, put)
}

// texts reads the files of a tree that there are.
func texts(tree patch.Tree, paths []string) (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, path := range paths {
		e, err := tree.Read(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, fmt.Errorf("reading %s: %w", path, err)
		default:
			out[path] = e.Data
		}
	}
	return out, nil
}

func (o *LintOutcome) run(ctx context.Context, bed *languages.Testbed, v languages.Variant, linter Linter, req Request, put []harness.File) error {
	cmd, err := linter.Lint(req)
	if err != nil {
		return err
	}
	res, err := bed.RunTool(ctx, v, languages.Tool{
		Script: cmd.Script, Files: append(put, cmd.Files...), Env: cmd.Env, Collect: cmd.Collect,
	})
	if err != nil {
		return err
	}
	o.State, o.Detail, o.Environment = res.State, res.Detail, res.Environment
	o.Log, o.Timings, o.Cached = res.Log(), res.Result.Timings, res.Result.Cached
	if o.State != bench.RunDone {
		return nil
	}
	o.Findings, err = linter.Read(req, res.Result)
	var broken *BrokenError
	if errors.As(err, &broken) {
		o.State, o.Detail = bench.RunUnbuilt, broken.Error()
		o.Broken = slices.Sorted(maps.Keys(broken.Files))
		return nil
	}
	return err
}
