package tolerant

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/internal/patch"
	"assay/languages"
	"assay/languages/syntax"
)

// change is what a test patch does to one instance.
type change struct {
	language string
	before   memory // the files that it touches, as far as they exist
	after    memory
	paths    []string
	plain    string // the answer of a model without mistakes, as a unified diff
	blocks   string // the same in the fault-tolerant format
}

// mistake is what models typically do wrong, in either format.
type mistake struct {
	name          string
	plain, blocks func(c change, text string) string
}

// comment is what a model adds to a line that it quotes.
func (c change) comment() string {
	if m, _ := mannerOf(c.language); m.braces {
		return "  // so far"
	}
	return "  # so far"
}

func same(_ change, text string) string { return text }

var hunkHeader = regexp.MustCompile(`(?m)^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@.*$`)

func count(text string) int {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return 1
}

// headers rewrites the headers of hunks of files that exist.
func headers(text string, with func(oldStart, oldLines, newStart, newLines int) string) string {
	return hunkHeader.ReplaceAllStringFunc(text, func(h string) string {
		m := hunkHeader.FindStringSubmatch(h)
		if m[1] == "0" {
			return h
		}
		return with(count(m[1]), count(m[2]), count(m[3]), count(m[4]))
	})
}

var blockLine = regexp.MustCompile(`(?m)^((?:rewrite|insert)\n)(\d+)\n`)

func mistakes() []mistake {
	wrongLines := mistake{"line numbers that are 13 too high", func(_ change, s string) string {
		return headers(s, func(a, b, c, d int) string { return fmt.Sprintf("@@ -%d,%d +%d,%d @@", a+13, b, c+13, d) })
	}, func(_ change, s string) string {
		return blockLine.ReplaceAllStringFunc(s, func(h string) string {
			m := blockLine.FindStringSubmatch(h)
			return fmt.Sprintf("%s%d\n", m[1], count(m[2])+13)
		})
	}}
	context := mistake{"a line of context misquoted", func(c change, s string) string {
		return eachContext(s, func(line string) string { return line + c.comment() })
	}, func(c change, s string) string {
		eachContext(c.plain, func(line string) string {
			s = strings.Replace(s, "\n"+line[1:]+"\n", "\n"+line[1:]+c.comment()+"\n", 1)
			return line
		})
		return s
	}}
	newline := mistake{"no newline at the end", func(_ change, s string) string { return strings.TrimRight(s, "\n") }, func(_ change, s string) string { return strings.TrimRight(s, "\n") }}
	return []mistake{
		{"none", same, same},
		wrongLines,
		{"counts of lines that are 1 too high", func(_ change, s string) string {
			return headers(s, func(a, b, c, d int) string { return fmt.Sprintf("@@ -%d,%d +%d,%d @@", a, b+1, c, d+1) })
		}, same},
		{"no line numbers", func(_ change, s string) string {
			return headers(s, func(int, int, int, int) string { return "@@ ... @@" })
		}, func(_ change, s string) string { return blockLine.ReplaceAllString(s, "$1") }},
		context,
		{"blank lines of context left out", func(_ change, s string) string { return strings.ReplaceAll(s, "\n \n", "\n") }, same},
		newline,
		{"the name of the file without its folders", func(_ change, s string) string { return folders.ReplaceAllString(s, "$1$2") }, func(_ change, s string) string { return blockPath.ReplaceAllString(s, "$1$2\n") }},
		{"line numbers, context and newline", func(c change, s string) string { return newline.plain(c, context.plain(c, wrongLines.plain(c, s))) }, func(c change, s string) string {
			return newline.blocks(c, context.blocks(c, wrongLines.blocks(c, s)))
		}},
	}
}

var (
	folders   = regexp.MustCompile(`(?m)^((?:---|\+\+\+) [ab]/|diff --git a/)(?:\S*/)?([^/\s]+)$`)
	blockPath = regexp.MustCompile(`(?m)^(diff\n)(?:\S*/)?([^/\s]+)\n`)
)

// eachContext changes the first line of context of each hunk that is not blank.
func eachContext(plain string, with func(line string) string) string {
	lines := strings.Split(plain, "\n")
	open := false
	for i, l := range lines {
		switch {
		case strings.HasPrefix(l, "@@ "):
			open = true
		case open && strings.HasPrefix(l, " ") && strings.TrimSpace(l) != "":
			lines[i], open = with(l), false
		}
	}
	return strings.Join(lines, "\n")
}

// changeOf writes the answers for a change.
func changeOf(language string, before, after memory) change {
	c := change{language: language, before: before, after: after, paths: after.Paths()}
	for _, p := range c.paths {
		old, there := before[p]
		var text []byte
		if there {
			text = []byte(old)
		}
		c.plain += string(patch.Between(p, text, []byte(after[p])))
		if !there {
			c.blocks += "diff\n" + p + "\ninsert\nEOF\n" + after[p] + "end diff\n"
			continue
		}
		c.blocks += blocksOf(language, p, old, after[p])
	}
	return c
}

// blocksOf writes the blocks that turn a file into another: its new imports, and
// the functions and tests that are new or changed.
func blocksOf(language, path, before, after string) string {
	m, _ := mannerOf(language)
	old, now := m.document([]byte(before)), m.document([]byte(after))
	var imports []string
	for _, r := range now.file.Imports {
		for i := r.Start; i <= r.End; i++ {
			if !old.has(now.line(i)) {
				imports = append(imports, now.line(i))
			}
		}
	}
	var out strings.Builder
	var visit func(list []syntax.Symbol, last int)
	visit = func(list []syntax.Symbol, last int) {
		for _, s := range list {
			text := now.lines[s.Start-1 : s.End]
			i := slices.IndexFunc(old.file.Symbols, func(o syntax.Symbol) bool {
				return sameName(o, s) && o.Kind == s.Kind && slices.Equal(o.Parents, s.Parents)
			})
			word, at := "insert", last
			if i >= 0 {
				o := old.file.Symbols[i]
				last = o.End
				if slices.Equal(old.lines[o.Start-1:o.End], text) {
					continue
				}
				if s.Kind == syntax.Class && len(now.members(s)) > 0 {
					visit(now.members(s), o.Start+1)
					continue
				}
				word, at = "rewrite", o.Start
			}
			if len(imports) > 0 {
				text, imports = slices.Concat(m.dedented(imports), []string{""}, m.dedented(text)), nil
			}
			fmt.Fprintf(&out, "diff\n%s\n%s\n%d\n%s\nend diff\n", path, word, at, strings.Join(text, "\n"))
		}
	}
	visit(outermost(now.file, 0, len(now.lines)), 1)
	return out.String()
}

// right reports whether all tests of the change are in a tree, as they are to be.
func (c change) right(t *testing.T, files map[string][]byte) bool {
	l := languages.Default().Named(c.language)
	for _, p := range c.paths {
		got, ok := files[p]
		if !ok {
			got = []byte(c.before[p])
		}
		have, err := l.Tests(p, got)
		require.NoError(t, err)
		want, err := l.Tests(p, []byte(c.after[p]))
		require.NoError(t, err)
		if len(syntax.Contributed(have, want, got, []byte(c.after[p]))) > 0 {
			return false
		}
	}
	return true
}

// byGit applies a diff as git does.
func (c change) byGit(t *testing.T, diff string) (map[string][]byte, bool) {
	dir := t.TempDir()
	for p, text := range c.before {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(p)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, p), []byte(text), 0o644))
	}
	cmd := exec.Command("git", "apply", "-")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(diff)
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	if cmd.Run() != nil {
		return nil, false
	}
	out := map[string][]byte{}
	for _, p := range c.paths {
		if data, err := os.ReadFile(filepath.Join(dir, p)); err == nil {
			out[p] = data
		}
	}
	return out, true
}

// byAssay applies a diff as assay eval does.
func (c change) byAssay(diff string) (map[string][]byte, bool) {
	parsed, err := patch.Parse([]byte(diff))
	if err != nil || parsed.Empty() {
		return nil, false
	}
	tree := map[string]patch.Entry{}
	for p, text := range c.before {
		tree[p] = patch.Entry{Data: []byte(text), Mode: patch.ModeFile}
	}
	changes, err := patch.Apply(patch.MapTree(tree), parsed)
	if err != nil {
		return nil, false
	}
	out := map[string][]byte{}
	for p, e := range changes.Write {
		out[p] = e.Data
	}
	return out, true
}

// byBlocks applies an answer in the fault-tolerant format, all of it.
func (c change) byBlocks(t *testing.T, answer string) (map[string][]byte, bool) {
	blocks, wrong, err := Read(answer, false)
	if err != nil || len(wrong) > 0 {
		return nil, false
	}
	result, err := Apply(c.language, c.before, blocks)
	require.NoError(t, err)
	refused := slices.ContainsFunc(result.Blocks, func(o Outcome) bool { return o.Refused != "" })
	return result.Files, !refused
}

// figure counts, for each mistake and way of applying, the answers that apply and
// those after which all tests are there as they are to be.
func figure(t *testing.T, changes []change) string {
	var out strings.Builder
	fmt.Fprintf(&out, "| %d answers with this mistake | git apply | assay's own | fault-tolerant |\n|---|---|---|---|\n", len(changes))
	for _, m := range mistakes() {
		var applied, right [3]int
		for _, c := range changes {
			for i, apply := range []func() (map[string][]byte, bool){
				func() (map[string][]byte, bool) { return c.byGit(t, m.plain(c, c.plain)) },
				func() (map[string][]byte, bool) { return c.byAssay(m.plain(c, c.plain)) },
				func() (map[string][]byte, bool) { return c.byBlocks(t, m.blocks(c, c.blocks)) },
			} {
				if files, ok := apply(); ok {
					applied[i]++
					if c.right(t, files) {
						right[i]++
					}
				}
			}
		}
		fmt.Fprintf(&out, "| %s |", m.name)
		for i := range applied {
			fmt.Fprintf(&out, " %d (%d) |", applied[i], right[i])
		}
		out.WriteString("\n")
	}
	return out.String()
}

// TestApplicability pins how many answers of each kind apply: the hidden tests
// of the sample benchmark, as a model would write them in either format.
func TestApplicability(t *testing.T) {
	dirs, err := filepath.Glob("../../samples/data/*/*")
	require.NoError(t, err)
	var changes []change
	for _, dir := range dirs {
		diff, err := os.ReadFile(filepath.Join(dir, "test.patch"))
		require.NoError(t, err)
		parsed, err := patch.Parse(diff)
		require.NoError(t, err)
		tree, before, after := map[string]patch.Entry{}, memory{}, memory{}
		for _, p := range parsed.Paths() {
			if data, err := os.ReadFile(filepath.Join(dir, "base", p)); err == nil {
				tree[p], before[p] = patch.Entry{Data: data, Mode: patch.ModeFile}, string(data)
			}
		}
		written, err := patch.Apply(patch.MapTree(tree), parsed)
		require.NoError(t, err)
		for p, e := range written.Write {
			after[p] = string(e.Data)
		}
		changes = append(changes, changeOf(filepath.Base(filepath.Dir(dir)), before, after))
	}
	got := figure(t, changes)
	golden := "testdata/applicability.md"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}
