package style

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"assay/bench"
	"assay/languages/syntax"
)

// survey answers where lines of a change went and what surrounds them.
type survey struct {
	change  Change
	renamed map[string]string
	maps    map[string]*fileMap // by old path
	news    map[string]*fileMap // by new path
	moved   map[place]place
	symbols map[bool]map[string][]syntax.Symbol // after?, by path
	mask    masker
}

func newSurvey(c Change) *survey {
	s := &survey{change: c, renamed: c.renames(), maps: map[string]*fileMap{}, news: map[string]*fileMap{}, mask: newMasker(),
		symbols: map[bool]map[string][]syntax.Symbol{false: {}, true: {}}}
	for _, old := range slices.Sorted(maps.Keys(c.Before)) { // sorted: two old files may have one new path
		path := s.where(old)
		s.maps[old] = newFileMap(path, c.Before[old], c.After[path])
		s.news[path] = s.maps[old]
	}
	for path, text := range c.After {
		if s.news[path] == nil {
			// A new file: under a name that no old file has.
			s.maps["\x00"+path] = newFileMap(path, nil, text)
			s.news[path] = s.maps["\x00"+path]
		}
	}
	s.moved = moves(s.maps)
	return s
}

func (s *survey) where(old string) string {
	if path := s.renamed[old]; path != "" {
		return path
	}
	return old
}

func (s *survey) before(f bench.Finding) *item {
	it := s.item(f, false)
	it.path = s.where(f.Path)
	m := s.maps[f.Path]
	if m == nil {
		return it
	}
	it.line, it.about, it.gap = 0, m.about(f.Range.Line), -1
	it.known = m.kept(f.Range.Line)
	if f.Range.Line < len(m.to) {
		it.line, it.gap = m.to[f.Range.Line], m.oldGap[f.Range.Line]
	}
	it.changed = !it.known
	it.edge = f.Range.Line <= 1 || f.Range.Line >= len(m.old)-1
	it.moved = s.moved[place{f.Path, f.Range.Line}]
	it.text = lineOf(m.old, f)
	return it
}

func (s *survey) after(f bench.Finding) *item {
	it := s.item(f, true)
	m := s.news[f.Path]
	if m == nil {
		return it
	}
	if f.Range.Line < len(m.from) {
		it.gap = m.newGap[f.Range.Line]
	}
	it.changed = !m.survives(f.Range.Line)
	it.edge = f.Range.Line <= 1 || f.Range.Line >= len(m.new)-1
	it.text = lineOf(m.new, f)
	it.moved = place{f.Path, f.Range.Line}
	return it
}

// item is a finding in a file that did not change.
func (s *survey) item(f bench.Finding, after bool) *item {
	return &item{
		Finding: f, path: f.Path, line: f.Range.Line, known: true, about: f.Range.Line, gap: -1,
		edge: f.Range.Line <= 1, text: squeeze(f.Line), symbol: s.symbol(f, after),
		plain: s.mask.numbers(f.Message), masked: s.mask.names(f.Message),
	}
}

func lineOf(lines []string, f bench.Finding) string {
	if f.Range.Line > 0 && f.Range.Line < len(lines) {
		return lines[f.Range.Line]
	}
	return squeeze(f.Line)
}

// symbol is the qualified name of what is around a finding.
func (s *survey) symbol(f bench.Finding, after bool) string {
	texts := s.change.Before
	if after {
		texts = s.change.After
	}
	text, ok := texts[f.Path]
	if !ok || s.change.Language == "" {
		return f.Symbol
	}
	symbols, parsed := s.symbols[after][f.Path]
	if !parsed {
		if file, err := syntax.Parse(s.change.Language, text); err == nil {
			symbols = file.Symbols
		}
		s.symbols[after][f.Path] = symbols
	}
	return enclosing(symbols, f.Range.Line)
}

// enclosing names the innermost symbol around a line: "Class.method".
func enclosing(symbols []syntax.Symbol, line int) string {
	name, size := "", 0
	for _, sym := range symbols {
		if n := sym.End - sym.Start + 1; sym.Start <= line && line <= sym.End && (name == "" || n <= size) {
			name, size = qualified(sym), n
		}
	}
	return name
}

func qualified(sym syntax.Symbol) string {
	return strings.Join(append(sym.Parents[:len(sym.Parents):len(sym.Parents)], sym.Name), ".")
}

// masker takes out of messages what an edit elsewhere changes.
type masker struct{ digits, quoted, name *regexp.Regexp }

func newMasker() masker {
	return masker{
		digits: regexp.MustCompile(`\d+`),
		quoted: regexp.MustCompile("'[^']*'|\"[^\"]*\"|`[^`]*`"),
		// Words that are not prose: with an underscore, a dot or an inner
		// capital.
		name: regexp.MustCompile(`\b\w*(?:_\w|\w[._]|[a-z][A-Z])\w*(?:[.:]+\w+)*`),
	}
}

func (m masker) numbers(message string) string { return m.digits.ReplaceAllString(message, "#") }

func (m masker) names(message string) string {
	return m.numbers(m.name.ReplaceAllString(m.quoted.ReplaceAllString(message, "N"), "N"))
}

func compareFindings(a, b bench.Finding) int {
	return cmp.Or(
		cmp.Compare(a.Path, b.Path), cmp.Compare(a.Range.Line, b.Range.Line), cmp.Compare(a.Range.Column, b.Range.Column),
		cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Message, b.Message),
		cmp.Compare(a.Range.EndLine, b.Range.EndLine), cmp.Compare(a.Range.EndColumn, b.Range.EndColumn),
		cmp.Compare(a.Tool, b.Tool), cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Symbol, b.Symbol), cmp.Compare(a.Suppressed, b.Suppressed),
	)
}
