package fixer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/badpatch/searchreplace"
	"assay/languages/syntax"
	"assay/llm/prompts"
	"assay/methods/retrieve"
)

// The most that prompts show, in bytes: some ten thousand tokens each.
const (
	mostPaths   = 60_000
	mostOutline = 60_000
	mostCode    = 60_000
)

// fewFunctions is how many functions are taken where the model names none.
const fewFunctions = 5

// shown are the lines of a file that a prompt shows.
type shown struct {
	*file
	spans []searchreplace.Span // in order, apart from each other
}

// localise finds the lines that may be edited.
func (w *work) localise(ctx context.Context) ([]shown, error) {
	paths, err := w.findFiles(ctx)
	if err != nil {
		return nil, err
	}
	functions, err := w.findFunctions(ctx, paths)
	if err != nil {
		return nil, err
	}
	return w.findLines(ctx, functions)
}

// query is what a file that matters shares words with.
func (w *work) query() string {
	return w.Task().Problem + "\n" + w.Task().Review + "\n" + w.Task().Start
}

// findFiles asks which files have to change. Names that the tree does not have
// are dropped, and retrieval fills the list up.
func (w *work) findFiles(ctx context.Context) ([]string, error) {
	ranked, err := retrieve.Files(w.Tree(), func(p string) bool { _, found := slices.BinarySearch(w.sources, p); return found }, w.query())
	if err != nil {
		return nil, err
	}
	t, most := w.Task(), w.Count(setFiles)
	answer, err := w.say(ctx, prompts.FixerFiles, prompts.FixerFilesData{
		Language: t.Language.About().Title, Problem: t.Problem, Patch: t.Start, Review: t.Review, Paths: listed(w.sources, ranked), Most: most,
	})
	if err != nil {
		return nil, err
	}
	found := pathsIn(answer.Text, w.sources)
	found = found[:min(len(found), most)]
	chosen := slices.Clone(found)
	for _, r := range ranked {
		if len(chosen) < most && !slices.Contains(chosen, r.Path) {
			chosen = append(chosen, r.Path)
		}
	}
	w.Note("files chosen", map[string]any{"model": found, "retrieved": firstPaths(ranked, most)}, chosen)
	return chosen, nil
}

func firstPaths(ranked []retrieve.File, n int) []string {
	var out []string
	for _, r := range ranked[:min(n, len(ranked))] {
		out = append(out, r.Path)
	}
	return out
}

// listed are the paths that a prompt shows, sorted: all, or of too many those that
// rank best.
func listed(all []string, ranked []retrieve.File) []string {
	size := 0
	for _, p := range all {
		size += len(p) + 1
	}
	if size <= mostPaths {
		return all
	}
	var out []string
	size = 0
	for _, r := range ranked {
		if size += len(r.Path) + 1; size > mostPaths {
			break
		}
		out = append(out, r.Path)
	}
	slices.Sort(out)
	return out
}

// findFunctions asks which functions and classes matter. Where no answer names
// one, retrieval decides, and a file without any is taken whole.
func (w *work) findFunctions(ctx context.Context, paths []string) ([]shown, error) {
	t := w.Task()
	data := prompts.FixerFunctionsData{Language: t.Language.About().Title, Problem: t.Problem, Patch: t.Start, Review: t.Review}
	room := mostOutline
	for _, p := range paths {
		f, err := w.file(p)
		if err != nil {
			return nil, err
		}
		text := f.outline(room)
		room -= len(text)
		data.Outlines = append(data.Outlines, prompts.Outline{Path: p, Text: text})
	}
	answer, err := w.say(ctx, prompts.FixerFunctions, data)
	if err != nil {
		return nil, err
	}
	found := w.shownOf(placesIn(answer.Text, slices.Sorted(slices.Values(paths))), paths, 0)
	if len(found) > 0 {
		w.Note("functions chosen", nil, describe(found))
		return found, nil
	}
	found, err = w.retrieved(paths)
	w.Note("functions retrieved", nil, describe(found))
	return found, err
}

// retrieved are the functions that share most words with the problem, and the
// beginning of the first file where there is none.
func (w *work) retrieved(paths []string) ([]shown, error) {
	ranked, err := retrieve.Functions(w.Tree(), w.Parse, paths, w.query())
	if err != nil {
		return nil, err
	}
	var places []place
	for _, r := range ranked[:min(fewFunctions, len(ranked))] {
		places = append(places, place{path: r.Path, span: searchreplace.Span{Start: r.Start, End: r.End}})
	}
	if len(places) == 0 && len(paths) > 0 {
		places = []place{{path: paths[0], span: searchreplace.Span{Start: 1, End: longClass}}}
	}
	return w.shownOf(places, paths, 0), nil
}

// findLines asks which lines have to change, and widens them by the context. The
// functions stay as they are where the answer names no place in their files.
func (w *work) findLines(ctx context.Context, functions []shown) ([]shown, error) {
	if len(functions) == 0 {
		return nil, nil
	}
	data := w.codeData(functions, true)
	answer, err := w.say(ctx, prompts.FixerLines, data)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, f := range functions {
		paths = append(paths, f.path)
	}
	found := w.shownOf(placesIn(answer.Text, slices.Sorted(slices.Values(paths))), paths, w.Count(setContext))
	if len(found) == 0 {
		found = functions
	}
	for i := range found {
		found[i].spans = searchreplace.Merged(append(found[i].spans, found[i].header()...))
	}
	w.Note("lines chosen", nil, describe(found))
	return found, nil
}

// longHeader is up to how many lines a file's imports are shown: fixes often need
// one more.
const longHeader = 60

// header are the lines of a file's imports.
func (f *file) header() []searchreplace.Span {
	if len(f.imports) == 0 {
		return nil
	}
	s := searchreplace.Span{Start: f.imports[0].Start, End: min(f.imports[len(f.imports)-1].End, len(f.lines))}
	if s.Start < 1 || s.End < s.Start || s.End-s.Start >= longHeader {
		return nil
	}
	return []searchreplace.Span{s}
}

// shownOf are the lines of places, by file in the order of the paths.
func (w *work) shownOf(places []place, paths []string, margin int) []shown {
	var out []shown
	for _, path := range paths {
		f := w.files[path]
		if f == nil {
			continue
		}
		var spans []searchreplace.Span
		for _, p := range places {
			if p.path == path {
				for _, s := range f.spansOf(p) {
					spans = append(spans, f.around(s, margin))
				}
			}
		}
		if len(spans) > 0 {
			out = append(out, shown{f, searchreplace.Merged(spans)})
		}
	}
	return out
}

// outline is a file without bodies: the lines on which classes and functions
// begin, in at most that many bytes.
func (f *file) outline(most int) string {
	var b strings.Builder
	for _, s := range f.symbols {
		line := s.Start
		if s.HeadEnd > 0 {
			line = s.HeadEnd + 1
		}
		if line > len(f.lines) {
			continue
		}
		text := strings.TrimRight(string(f.lines[line-1]), " \t\r\n{")
		if s.Kind != syntax.Class {
			text += " ..."
		}
		if b.Len()+len(text)+1 > most {
			break
		}
		b.WriteString(text + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// codeData shows lines, with numbers or as they are. What is beyond the most that
// a prompt shows is left out, of the given lines as well.
func (w *work) codeData(all []shown, numbered bool) prompts.FixerCodeData {
	t := w.Task()
	data := prompts.FixerCodeData{Language: t.Language.About().Title, Problem: t.Problem, Patch: t.Start, Review: t.Review}
	room := mostCode
	for i, f := range all {
		var kept []searchreplace.Span
		for _, s := range f.spans {
			if s, room = f.fitting(s, room); s.End < s.Start {
				break
			}
			kept = append(kept, s)
			text := f.excerpt(s)
			if numbered {
				text = number(text, s.Start)
			}
			data.Functions = append(data.Functions, prompts.Function{Path: f.path, Name: f.named(s), Start: s.Start, End: s.End, Text: text})
		}
		all[i].spans = kept
	}
	return data
}

// fitting cuts a span off where there is no room for more, and returns how much
// room is left.
func (f *file) fitting(s searchreplace.Span, room int) (fits searchreplace.Span, left int) {
	for l := s.Start; l <= s.End; l++ {
		if room -= len(f.lines[l-1]) + len("1234| "); room < 0 {
			return searchreplace.Span{Start: s.Start, End: l - 1}, 0
		}
	}
	return s, room
}

func number(text string, from int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		fmt.Fprintf(&b, "%d| %s", from, line)
		from++
	}
	return b.String()
}

// describe names lines for the trajectory.
func describe(all []shown) []string {
	out := []string{}
	for _, f := range all {
		for _, s := range f.spans {
			out = append(out, fmt.Sprintf("%s:%d-%d", f.path, s.Start, s.End))
		}
	}
	return out
}
