package otter

import (
	"context"
	"slices"

	"assay/languages/syntax"
	"assay/methods"
	"assay/methods/imports"
	"assay/methods/outline"
)

// repair adds the import statements that the model wrote in front of its
// functions and those that are missing, and corrects what does not exist. old is
// the file before, src with the new functions.
func (s *solver) repair(ctx context.Context, step string, old *outline.File, src []byte, statements []string) ([]byte, error) {
	finder := imports.NewFinder(s.repo.about.Name, s.repo.tree, old.Path)
	src, done, err := s.corrected(finder, old, src, statements)
	if err != nil {
		return nil, err
	}
	lines, err := s.added(old, src)
	if err != nil {
		return nil, err
	}
	unknown, err := s.unknown(ctx, step, finder, old.Path, src, lines)
	if err != nil {
		return nil, err
	}
	for _, name := range unknown {
		statement, ok := finder.For(name)
		if !ok {
			statement = finder.Fallback(name)
		}
		done = append(done, change{name, statement})
		src = imports.Add(s.repo.about.Name, src, lines, true, []string{statement})
		if lines, err = s.added(old, src); err != nil {
			return nil, err
		}
	}
	s.d.Note("repair-imports-"+step, statements, done)
	return src, nil
}

// corrected puts the model's own statements into the source, those inside of
// functions too, corrected where they ask for what does not exist.
func (s *solver) corrected(finder *imports.Finder, old *outline.File, src []byte, statements []string) ([]byte, []change, error) {
	var done []change
	language := s.repo.about.Name
	for _, text := range statements {
		better := finder.Correct(text)
		if !slices.Equal(better, []string{text}) {
			done = append(done, changes(text, better)...)
		}
		lines, err := s.added(old, src)
		if err != nil {
			return nil, nil, err
		}
		src = imports.Add(language, src, lines, true, better)
	}
	lines, err := s.added(old, src)
	if err != nil {
		return nil, nil, err
	}
	inner := imports.Inner(language, src, lines)
	slices.Reverse(inner) // from the end, so that offsets stay
	for _, i := range inner {
		if better := finder.Correct(i.Text); !slices.Equal(better, []string{i.Text}) {
			src = i.Replaced(src, better)
			done = append(done, changes(i.Text, better)...)
		}
	}
	return src, done, nil
}

func changes(from string, to []string) []change {
	var out []change
	for _, t := range to {
		out = append(out, change{from, t})
	}
	return out
}

// added are the lines of functions that a source has and the file before has
// not.
func (s *solver) added(old *outline.File, src []byte) ([]syntax.Range, error) {
	f, err := outline.Read(s.repo.about.Name, old.Path, src)
	if err != nil {
		return nil, err
	}
	var out []syntax.Range
	for _, fn := range f.AddedTo(old) {
		out = append(out, syntax.Range{Start: fn.Start, End: fn.End})
	}
	return out, nil
}

// unknown are the names that new functions use and that nothing makes known: by
// a linter where the language has one, else by the syntax.
func (s *solver) unknown(ctx context.Context, step string, finder *imports.Finder, path string, src []byte, lines []syntax.Range) ([]string, error) {
	linter, ok := linterOf(s.repo.about.Name)
	if !ok {
		return finder.Unknown(src, lines), nil
	}
	run, err := s.d.Tool(ctx, "lint-"+step, linter.tool(path, src))
	if err != nil {
		return nil, err
	}
	return linter.read(run, lines), nil
}

// installLinter makes sure that the linter can be run before any call is paid.
func (s *solver) installLinter(ctx context.Context) error {
	linter, ok := linterOf(s.repo.about.Name)
	if !ok {
		return nil
	}
	_, err := s.d.Tool(ctx, "lint-install", linter.tool("empty.py", nil))
	return err
}

// linter reports names that are not known.
type linter struct {
	language string
	tool     func(path string, src []byte) methods.Tool
	read     func(run methods.ToolRun, lines []syntax.Range) []string
}

func linterOf(language string) (linter, bool) {
	for _, l := range []linter{pyflakes()} {
		if l.language == language {
			return l, true
		}
	}
	return linter{}, false
}
