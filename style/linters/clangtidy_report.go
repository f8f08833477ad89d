package linters

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"assay/bench"
)

// compilerError is the rule under which the tool reports what the compiler
// cannot parse.
const compilerError = "clang-diagnostic-error"

// tidyDiagnostic is an entry of what --export-fixes writes. Offsets count
// bytes from 0.
type tidyDiagnostic struct {
	Name    string `yaml:"DiagnosticName"`
	Message struct {
		Text         string     `yaml:"Message"`
		File         string     `yaml:"FilePath"`
		Offset       int        `yaml:"FileOffset"`
		Replacements []tidyEdit `yaml:"Replacements"`
		Ranges       []tidySpan `yaml:"Ranges"`
	} `yaml:"DiagnosticMessage"`
	Level     string `yaml:"Level"`
	Directory string `yaml:"BuildDirectory"`
}

type tidyEdit struct {
	File   string `yaml:"FilePath"`
	Offset int    `yaml:"Offset"`
	Length int    `yaml:"Length"`
}

type tidySpan struct {
	File   string `yaml:"FilePath"`
	Offset int    `yaml:"FileOffset"`
	Length int    `yaml:"Length"`
}

// failing says that the compiler counts the diagnostic as an error.
func (d tidyDiagnostic) failing() bool { return d.Level == "Error" }

// readDiagnostics reads the tool's YAML. It holds every finding, with or
// without a fix, and ends with "...": a report that was cut off is an error.
func readDiagnostics(data []byte) (out []tidyDiagnostic, err error) {
	defer func() { // the decoder panics at some malformed input
		if r := recover(); r != nil {
			out, err = nil, fmt.Errorf("it is no YAML: %v", r)
		}
	}()
	var report struct {
		Diagnostics []tidyDiagnostic `yaml:"Diagnostics"`
	}
	if !strings.HasSuffix(strings.TrimRight(string(data), "\r\n"), "\n...") {
		return nil, fmt.Errorf("it was cut off after %d bytes", len(data))
	}
	if err := yaml.Unmarshal(data, &report); err != nil {
		return nil, err
	}
	return report.Diagnostics, nil
}

// finding makes a finding of a diagnostic in a file with a text.
func (d tidyDiagnostic) finding(p, rule string, text []byte) bench.Finding {
	at := d.Message.Offset
	lines := lineIndex(text)
	start := lines.position(at)
	out := bench.Finding{
		Tool: "clang-tidy", Rule: rule, Path: p, Message: oneLine(d.Message.Text), Severity: tidySeverity(d.Level),
		Range: bench.Range{Line: start.Line, Column: start.Column}, Line: lines.text(text, start.Line),
	}
	if end := d.end(); end > at && end <= len(text) {
		last := lines.position(end - 1)
		out.Range.EndLine, out.Range.EndColumn = last.Line, last.Column
	}
	return out
}

// end is where the first range around a diagnostic's place ends, or else an
// edit of it; 0 where there is neither.
func (d tidyDiagnostic) end() int {
	spans := slices.Clone(d.Message.Ranges)
	for _, e := range d.Message.Replacements {
		spans = append(spans, tidySpan(e))
	}
	for _, s := range spans {
		if s.File == d.Message.File && s.Offset <= d.Message.Offset && s.Length > 0 && s.Offset+s.Length > d.Message.Offset {
			return s.Offset + s.Length
		}
	}
	return 0
}

// rule is the present name under which a diagnostic counts. The tool names
// several where they are aliases, and adds "-warnings-as-errors".
func (r *tidyReader) rule(names string) (string, bool) {
	best := ""
	for name := range strings.SplitSeq(names, ",") {
		if now, renamed := r.req.Rules.Aliases[name]; renamed {
			name = now
		}
		if name != "-warnings-as-errors" && r.asked(name) && (best == "" || name < best) {
			best = name
		}
	}
	return best, best != ""
}

// asked reports whether a rule counts; where a user's configuration is alone,
// all do that it turns on.
func (r *tidyReader) asked(name string) bool {
	if len(r.req.Rules.Names) == 0 {
		return name != compilerError
	}
	return slices.Contains(r.req.Rules.Names, name)
}

// relative is a diagnostic's file within the repository.
func (r *tidyReader) relative(d tidyDiagnostic) string {
	file := d.Message.File
	if !path.IsAbs(file) {
		file = path.Join(d.Directory, file)
	}
	file = path.Clean(file)
	if inside, ok := strings.CutPrefix(file, path.Clean(r.root)+"/"); ok {
		return inside
	}
	return file
}

func tidySeverity(level string) bench.Severity {
	switch level {
	case "Error":
		return bench.SeverityError
	case "Remark":
		return bench.SeverityNote
	}
	return bench.SeverityWarning
}

// lineStarts are the offsets at which lines begin.
type lineStarts []int

func lineIndex(text []byte) lineStarts {
	out := lineStarts{0}
	for i, c := range text {
		if c == '\n' {
			out = append(out, i+1)
		}
	}
	return out
}

// position returns line and column, from 1.
func (l lineStarts) position(offset int) bench.Range {
	i, exact := slices.BinarySearch(l, offset)
	if !exact {
		i--
	}
	return bench.Range{Line: i + 1, Column: offset - l[max(i, 0)] + 1}
}

// text is a line without its end.
func (l lineStarts) text(src []byte, line int) string {
	end := len(src)
	if line < len(l) {
		end = l[line] - 1
	}
	return strings.TrimRight(string(src[l[line-1]:end]), "\r")
}
