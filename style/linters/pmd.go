package linters

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay/bench"
	"assay/harness"
	"assay/style"
)

// PMD lints Java.
type PMD struct{}

const (
	pmdVersion = "7.27.0"
	pmdHome    = tools + "pmd"
)

// About implements style.Linter.
func (PMD) About() style.About {
	return style.About{Name: "pmd", Language: "java", Version: pmdVersion}
}

// Rules implements style.RuleLister.
func (PMD) Rules() (style.RuleFile, error) { return Rules("pmd") }

// Silence is the comment that silences the linter on a line.
func (PMD) Silence() string { return " // NOPMD" }

// Install implements style.Linter.
func (PMD) Install() harness.Recipe {
	return fromMaven("pmd "+pmdVersion, pmdHome, artifacts{dir: "lib", list: []artifact{
		{"net.sourceforge.pmd", "pmd-cli", pmdVersion}, {"net.sourceforge.pmd", "pmd-java", pmdVersion},
	}}, rewriteArtifacts())
}

// Lint implements style.Linter.
func (PMD) Lint(req style.Request) (style.Command, error) {
	config := req.Rules.Config
	if len(config) == 0 {
		var err error
		if config, err = pmdRuleset(req.Rules); err != nil {
			return style.Command{}, err
		}
	}
	out := req.Dir + "/report.json"
	// Code 4 means violations, 5 errors in single files, listed in the
	// report.
	script := pickJava + "code=0\n\"$JAVA\"" + javaFlags + "-cp '" + pmdHome + "/lib/*' net.sourceforge.pmd.cli.PmdCli check --file-list " + req.Dir +
		"/files -R " + req.Dir + "/rules.xml -f json -r " + out + " -t 1 --no-progress --no-cache --show-suppressed --suppress-marker " +
		pmdMarker(req.Dir) + " || code=$?\ncase $code in 4|5) code=0;; esac\nexit $code\n"
	return style.Command{
		Script: script,
		Files: []harness.File{
			{Path: req.Dir + "/files", Data: []byte(strings.Join(req.Files, "\n") + "\n")},
			{Path: req.Dir + "/rules.xml", Data: config},
		},
		Env:     []string{"HOME=" + req.Dir},
		Collect: []string{out},
	}, nil
}

// pmdMarker stands in for NOPMD: a word that no submission can know.
func pmdMarker(dir string) string { return "KEEP" + dir[strings.LastIndexByte(dir, '/')+1:] }

// pmdRuleset names the rules that count; each must be one of PMD's own.
func pmdRuleset(r style.Rules) ([]byte, error) {
	categories, err := table("rules/pmd-categories.txt")
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	b.WriteString(`<?xml version="1.0"?>
<ruleset name="assay" xmlns="http://pmd.sourceforge.net/ruleset/2.0.0">
<description>The rules that count.</description>
`)
	for _, name := range r.Names {
		category, ok := categories[name]
		if !ok {
			return nil, fmt.Errorf("rule %q is not one of PMD %s's: give a ruleset of your own for it", name, pmdVersion)
		}
		fmt.Fprintf(&b, "<rule ref=\"category/java/%s.xml/%s\">", category, name)
		if options := r.Options[name]; len(options) > 0 {
			b.WriteString("<properties>")
			for _, k := range slices.Sorted(maps.Keys(options)) {
				fmt.Fprintf(&b, "<property name=\"%s\" value=\"%s\"/>", escape(k), escape(options[k]))
			}
			b.WriteString("</properties>")
		}
		b.WriteString("</rule>\n")
	}
	b.WriteString("</ruleset>\n")
	return []byte(b.String()), nil
}

// escape makes text an XML attribute's value.
func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder takes all
	return b.String()
}

type pmdFile struct {
	Filename   string
	Violations []struct {
		BeginLine, BeginColumn, EndLine, EndColumn, Priority int
		Description, Rule, SuppressionType                   string
	}
}

// pmdReport is PMD's json form.
type pmdReport struct {
	Files                []pmdFile
	SuppressedViolations []pmdFile
	ProcessingErrors     []struct{ Filename, Message string }
	ConfigurationErrors  []struct{ Rule, Message string }
	PmdVersion           string
}

// Read implements style.Linter.
func (PMD) Read(req style.Request, res harness.Result) ([]bench.Finding, error) {
	data, err := report("pmd", res, req.Dir+"/report.json")
	if err != nil {
		return nil, err
	}
	var r pmdReport
	if err := json.Unmarshal(data, &r); err != nil || r.PmdVersion == "" {
		return nil, &style.ToolError{Linter: "pmd", Reason: "its report cannot be read"}
	}
	if len(r.ConfigurationErrors) > 0 {
		e := r.ConfigurationErrors[0]
		return nil, &style.ToolError{Linter: "pmd", Reason: fmt.Sprintf("rule %s: %s", e.Rule, firstLine(e.Message))}
	}
	c := newCollector(req)
	for _, e := range r.ProcessingErrors {
		c.broke(e.Filename, firstLine(e.Message))
	}
	for _, f := range append(r.Files, r.SuppressedViolations...) {
		for _, v := range f.Violations {
			c.add(bench.Finding{
				Tool: "pmd", Rule: v.Rule, Path: f.Filename, Message: firstLine(v.Description), Severity: pmdSeverity(v.Priority),
				Suppressed: v.SuppressionType,
				// PMD's end is the first column after the finding.
				Range: bench.Range{Line: v.BeginLine, Column: v.BeginColumn, EndLine: v.EndLine, EndColumn: max(v.EndColumn-1, 0)},
			})
		}
	}
	return c.findings("pmd")
}

// pmdSeverity grades PMD's priorities, 1 (change absolutely) to 5.
func pmdSeverity(priority int) bench.Severity {
	switch {
	case priority <= 2:
		return bench.SeverityError
	case priority == 3:
		return bench.SeverityWarning
	}
	return bench.SeverityNote
}
