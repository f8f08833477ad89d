package linters

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"assay/bench"
	"assay/harness"
	"assay/style"
)

// tidyReport is what the scripts report in addition to the tool's own
// reports.
type tidyReport struct {
	Root    string `json:"root"`
	Version string `json:"version"`
	// Broken explains why the project cannot be configured.
	Broken string     `json:"broken"`
	Files  []tidyFile `json:"files"`
}

// tidyFile is the result of one file.
type tidyFile struct {
	Path string `json:"path"`
	// How its flags were found: database, borrowed (from the unit that
	// includes it, or else the nearest), unit (linted as a part of one), or
	// fallback.
	How    string `json:"how"`
	Unit   string `json:"unit"`
	Digest string `json:"digest"` // SHA-256 of the text that was linted
	Code   int    `json:"code"`   // of the tool; below zero after a signal
	Report string `json:"report"` // name of the YAML file; empty when it reported nothing
	Log    string `json:"log"`
}

func tidyFailed(format string, args ...any) error {
	return &style.ToolError{Linter: "clang-tidy", Reason: fmt.Sprintf(format, args...)}
}

// Read returns each place and message once. Where the tool knows a rule under
// several names (aliases such as bugprone- and
// cppcoreguidelines-narrowing-conversions) and more than one is asked for,
// the finding gets the first in alphabetical order.
func (clangTidy) Read(req style.Request, res harness.Result) ([]bench.Finding, error) {
	report, err := readTidyReport(req.Dir, res)
	if err != nil {
		return nil, err
	}
	if report.Broken != "" {
		return nil, brokenTogether(req.Files, report.Broken)
	}
	files := map[string]tidyFile{}
	for _, f := range report.Files {
		files[f.Path] = f
	}
	r := tidyReader{req: req, root: report.Root, broken: map[string]string{}}
	var failed error
	for _, p := range req.Files {
		if err := r.file(p, files[p], res.Files); err != nil && failed == nil {
			failed = err
		}
	}
	if len(r.broken) > 0 {
		return nil, &style.BrokenError{Linter: "clang-tidy", Files: r.broken}
	}
	if failed != nil {
		return nil, failed
	}
	return distinct(r.found), nil
}

func readTidyReport(dir string, res harness.Result) (tidyReport, error) {
	var report tidyReport
	data := res.Files[dir+"/out/report.json"]
	if res.ExitCode != 0 || len(data) == 0 {
		return report, tidyFailed("it ended with code %d: %s", res.ExitCode, lastLine(res.Output))
	}
	if err := json.Unmarshal(data, &report); err != nil {
		return report, tidyFailed("its report cannot be read: %v", err)
	}
	if !strings.Contains(report.Version, "LLVM version 19.1.") {
		return report, tidyFailed("version 19.1 is needed, not %q", strings.Join(strings.Fields(report.Version), " "))
	}
	return report, nil
}

func brokenTogether(files []string, why string) error {
	broken := map[string]string{}
	for _, f := range files {
		broken[f] = why
	}
	return &style.BrokenError{Linter: "clang-tidy", Files: broken}
}

// tidyReader gathers what the reports of several files say.
type tidyReader struct {
	req    style.Request
	root   string
	broken map[string]string
	found  []bench.Finding
}

// file reads the result of one file. The tool writes no report when it has
// nothing to say; its exit code shows that it finished.
func (r *tidyReader) file(p string, f tidyFile, files map[string][]byte) error {
	text, known := r.req.Sources[p]
	if !known {
		return fmt.Errorf("reading clang-tidy's findings: the text of %s was not given", p)
	}
	if f.Path == "" {
		return tidyFailed("it was not run on %s", p)
	}
	if digest := sha256.Sum256(text); f.Digest != hex.EncodeToString(digest[:]) {
		return tidyFailed("%s was changed before it was linted", p)
	}
	var diagnostics []tidyDiagnostic
	if f.Report != "" {
		data, collected := files[path.Join(r.req.Dir, "out", f.Report)]
		if !collected {
			return tidyFailed("the report of %s is missing", p)
		}
		var err error
		if diagnostics, err = readDiagnostics(data); err != nil {
			return tidyFailed("the report of %s cannot be read: %v", p, err)
		}
	}
	if why := r.brokenBy(p, diagnostics); why != "" {
		r.broken[p] = why
		return nil
	}
	// Code 1 is also that of warnings which the compiler counts as errors;
	// then there is a report that holds them.
	if f.Code != 0 && (f.Code != 1 || !slices.ContainsFunc(diagnostics, tidyDiagnostic.failing)) {
		return tidyFailed("on %s it ended with code %d: %s", p, f.Code, lastLineOf(f.Log))
	}
	for _, d := range diagnostics {
		rule, counts := r.rule(d.Name)
		if !counts || r.relative(d) != p {
			continue
		}
		if at := d.Message.Offset; at < 0 || at > len(text) {
			return tidyFailed("it reports byte %d of %s, which has %d", at, p, len(text))
		}
		r.found = append(r.found, d.finding(p, rule, text))
	}
	return nil
}

// brokenBy returns the first error of the compiler, in any file: what follows
// it was not analysed properly.
func (r *tidyReader) brokenBy(p string, diagnostics []tidyDiagnostic) string {
	why := ""
	for _, d := range diagnostics {
		if d.Name != compilerError {
			continue
		}
		at := r.relative(d)
		place := at + ": "
		if at == p {
			place = fmt.Sprintf("line %d: ", lineIndex(r.req.Sources[p]).position(d.Message.Offset).Line)
		}
		if why == "" || at == p {
			why = place + oneLine(d.Message.Text)
		}
		if at == p {
			return why
		}
	}
	return why
}

func lastLineOf(log string) string {
	lines := strings.Split(strings.TrimSpace(log), "\n")
	return lines[len(lines)-1]
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// distinct sorts findings and leaves one for each place and message, the one
// whose rule's name comes first.
func distinct(found []bench.Finding) []bench.Finding {
	style.SortFindings(found)
	type key struct {
		path    string
		at      bench.Range
		message string
	}
	seen := map[key]bool{}
	return slices.DeleteFunc(found, func(f bench.Finding) bool {
		k := key{f.Path, bench.Range{Line: f.Range.Line, Column: f.Range.Column}, f.Message}
		twice := seen[k]
		seen[k] = true
		return twice
	})
}
