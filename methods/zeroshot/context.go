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
func data(d *methods.Desk) (prompts.ZeroShotData, error) {
	t := d.Task()
	about := t.Language.About()
	ranked, err := retrieve.Files(d.Tree(), about.IsCode, t.Problem)
	if err != nil {
		return prompts.ZeroShotData{}, fmt.Errorf("choosing files: %w", err)
	}
	out := prompts.ZeroShotData{Language: about.Title, Framework: t.Framework, Problem: t.Problem}
	left := d.Count("context")
	var shown []string
	for _, f := range ranked {
		text, err := d.Tree().Read(f.Path)
		if err != nil {
			return out, fmt.Errorf("reading %s: %w", f.Path, err)
		}
		file := number(f.Path, string(text), left, len(out.Files) == 0)
		if file.Text == "" {
			continue // a smaller one may still fit
		}
		left -= len(file.Text)
		out.Files, shown = append(out.Files, file), append(shown, f.Path)
	}
	d.Note("retrieve", map[string]any{"query": t.Problem}, map[string]any{"files": shown})
	return out, nil
}

// number gives lines their numbers. A file that does not fit is left out, or cut
// where a part of it is better than nothing.
func number(path, text string, most int, cut bool) prompts.NumberedFile {
	out := prompts.NumberedFile{Path: path}
	var b strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		n++
		row := fmt.Sprintf("%d %s\n", n, strings.TrimRight(line, "\r\n"))
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
