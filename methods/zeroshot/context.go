// Package zeroshot holds SWT-Bench's methods that ask a model for tests directly
// (section 4.3): ZeroShot with unified diffs, ZeroShotPlus with the
// fault-tolerant format, and LIBRO, which chooses among several answers of the
// latter by how their tests fail.
package zeroshot

import (
	"fmt"
	"strings"

	"assay/llm/prompts"
	"assay/methods"
	"assay/methods/retrieve"
)

const kindTestgen = "testgen"

// contextBytes is the setting for how much code goes into a prompt. The paper does
// not say; what it paid for GPT-4 comes to about 30,000 tokens a prompt.
func contextBytes() methods.Setting {
	return methods.Setting{Name: "context", Default: 100_000, Least: 0, Most: 4_000_000, Whole: true, What: "most bytes of code in the prompt, chosen by BM25"}
}

// data is what the prompts of a task are filled with.
func data(d *methods.Desk, g Given) (prompts.ZeroShotData, error) {
	t := d.Task()
	out := prompts.ZeroShotData{Language: t.Language.About().Title, Framework: t.Framework, Problem: t.Problem, Fix: g.fix(d)}
	files, query, err := rank(d, g)
	if err != nil {
		return out, err
	}
	left := d.Count("context")
	var shown []string
	for i, f := range files {
		text, err := d.Tree().Read(f)
		if err != nil {
			return out, fmt.Errorf("reading %s: %w", f, err)
		}
		file := number(f, string(text), left, false)
		if file.Text == "" {
			most := 0
			switch {
			case query == "": // given files share what is left
				most = left / (len(files) - i)
			case i < mostExcerpts && len(text) > d.Count("context")/2:
				most = min(left, d.Count("context")/excerptShare)
			}
			if file.Text, err = excerpt(d, f, string(text), t.Problem+"\n"+out.Fix, most); err != nil {
				return out, err
			}
		}
		if file.Text == "" && i == 0 {
			file = number(f, string(text), left, true)
		}
		if file.Text == "" {
			continue // a smaller one may still fit
		}
		left -= len(file.Text)
		out.Files, shown = append(out.Files, file), append(shown, f)
	}
	d.Note("retrieve", map[string]any{"query": query}, map[string]any{"files": shown})
	return out, nil
}

// rank gives the files that a prompt may show, the best first: those that are
// given, else those that share words with the query.
func rank(d *methods.Desk, g Given) (files []string, query string, err error) {
	if files := g.files(d); len(files) > 0 {
		return files, "", nil
	}
	query = d.Task().Problem
	ranked, err := retrieve.Files(d.Tree(), d.Task().Language.About().IsCode, query)
	if err != nil {
		return nil, query, fmt.Errorf("choosing files: %w", err)
	}
	for _, f := range ranked {
		files = append(files, f.Path)
	}
	return files, query, nil
}

// number gives lines their numbers. A file that does not fit is left out, or cut
// where a part of it is better than nothing.
func number(path, text string, most int, cut bool) prompts.NumberedFile {
	out := prompts.NumberedFile{Path: path}
	var b strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		n++
		row := numbered(n, line)
		if b.Len()+len(row) > most {
			if !cut {
				return out
			}
			out.Cut = true
			break
		}
		b.WriteString(row)
	}
	out.Text = strings.ToValidUTF8(b.String(), "?")
	return out
}
