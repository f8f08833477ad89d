package linters

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"assay/bench"
	"assay/harness"
	"assay/style"
)

// Checkstyle lints Java, in addition to PMD: OmniCode's implementation has
// both. The configuration holds no filters, so that no comment or annotation
// silences it.
type Checkstyle struct{}

// checkstyleVersion is the last one of the series that runs on Java 11 and 17
// alike.
const (
	checkstyleVersion = "10.26.1"
	checkstyleHome    = tools + "checkstyle"
)

var _ style.Linter = Checkstyle{}

// About implements style.Linter.
func (Checkstyle) About() style.About {
	return style.About{Name: "checkstyle", Language: "java", Version: checkstyleVersion}
}

// Rules implements style.RuleLister.
func (Checkstyle) Rules() (style.RuleFile, error) { return Rules("checkstyle") }

// Silence is the comment that silences the linter on a line.
func (Checkstyle) Silence() string { return " // CHECKSTYLE:OFF" }

// Install implements style.Linter.
func (Checkstyle) Install() harness.Recipe {
	return fromMaven("checkstyle "+checkstyleVersion, checkstyleHome, artifacts{dir: "lib", list: []artifact{
		{"com.puppycrawl.tools", "checkstyle", checkstyleVersion},
	}})
}

// Lint implements style.Linter. The exit code counts errors, modulo 256: the
// report decides.
func (Checkstyle) Lint(req style.Request) (style.Command, error) {
	config := req.Rules.Config
	if len(config) == 0 {
		var err error
		if config, err = checkstyleConfig(req.Rules); err != nil {
			return style.Command{}, err
		}
	}
	out := req.Dir + "/report.xml"
	return style.Command{
		Script: pickJava + `"$JAVA"` + javaFlags + "-cp '" + checkstyleHome + "/lib/*' com.puppycrawl.tools.checkstyle.Main -c " + req.Dir +
			"/config.xml -f xml -o " + out + " " + quoteAll(req.Files) + " || echo \"code $?\"\nexit 0\n",
		Files:   []harness.File{{Path: req.Dir + "/config.xml", Data: config}},
		Env:     []string{"HOME=" + req.Dir},
		Collect: []string{out},
	}, nil
}

// checkstyleConfig puts each check below the module that runs it. Tabs count
// as one column, and after an exception in one file the others are still
// reported.
func checkstyleConfig(r style.Rules) ([]byte, error) {
	parents, err := table("rules/checkstyle-checks.txt")
	if err != nil {
		return nil, err
	}
	modules := map[string]*strings.Builder{"Checker": {}, "TreeWalker": {}}
	for _, name := range r.Names {
		parent, ok := modules[parents[name]]
		if !ok {
			return nil, fmt.Errorf("rule %q is not one of Checkstyle %s's: give a configuration of your own for it", name, checkstyleVersion)
		}
		fmt.Fprintf(parent, "<module name=\"%s\">", name)
		options := r.Options[name]
		for _, k := range slices.Sorted(maps.Keys(options)) {
			fmt.Fprintf(parent, "<property name=\"%s\" value=\"%s\"/>", escape(k), escape(options[k]))
		}
		parent.WriteString("</module>\n")
	}
	return []byte(`<?xml version="1.0"?>
<!DOCTYPE module PUBLIC "-//Checkstyle//DTD Checkstyle Configuration 1.3//EN" "https://checkstyle.org/dtds/configuration_1_3.dtd">
<module name="Checker">
<property name="severity" value="warning"/>
<property name="charset" value="UTF-8"/>
<property name="tabWidth" value="1"/>
<property name="haltOnException" value="false"/>
` + modules["Checker"].String() + "<module name=\"TreeWalker\">\n" + modules["TreeWalker"].String() + "</module>\n</module>\n"), nil
}

// checkstyleReport is Checkstyle's xml form; it names all files, those without
// findings too.
type checkstyleReport struct {
	XMLName xml.Name `xml:"checkstyle"`
	Version string   `xml:"version,attr"`
	Files   []struct {
		Name   string `xml:"name,attr"`
		Errors []struct {
			Line     int    `xml:"line,attr"`
			Column   int    `xml:"column,attr"`
			Severity string `xml:"severity,attr"`
			Message  string `xml:"message,attr"`
			Source   string `xml:"source,attr"`
		} `xml:"error"`
		Exceptions []string `xml:"exception"`
	} `xml:"file"`
}

// Read implements style.Linter.
func (Checkstyle) Read(req style.Request, res harness.Result) ([]bench.Finding, error) {
	data, err := report("checkstyle", res, req.Dir+"/report.xml")
	if err != nil {
		return nil, err
	}
	r, err := parseCheckstyle(data)
	if err != nil {
		return nil, &style.ToolError{Linter: "checkstyle", Reason: "its report cannot be read: " + lastLine(res.Output)}
	}
	c := newCollector(req)
	for _, f := range r.Files {
		c.saw(f.Name)
		for _, why := range f.Exceptions {
			c.broke(f.Name, checkstyleReason(why))
		}
		for _, e := range f.Errors {
			rule := checkstyleRule(e.Source)
			if rule == "Checker" || rule == "TreeWalker" || rule == "" {
				c.broke(f.Name, checkstyleReason(e.Message))
				continue
			}
			c.add(bench.Finding{
				Tool: "checkstyle", Rule: rule, Path: f.Name, Message: firstLine(e.Message), Severity: checkstyleSeverity(e.Severity),
				Range: bench.Range{Line: e.Line, Column: e.Column},
			})
		}
	}
	return c.counted("checkstyle")
}

// parseCheckstyle reads a whole report: one that was cut is an error.
func parseCheckstyle(data []byte) (checkstyleReport, error) {
	var r checkstyleReport
	// Messages quote the sources, which may hold what XML does not.
	d := xml.NewDecoder(bytes.NewReader(bytes.Map(func(c rune) rune {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' {
			return ' '
		}
		return c
	}, data)))
	if err := d.Decode(&r); err != nil {
		return r, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) && err != nil {
		return r, err
	}
	if r.Version == "" {
		return r, errors.New("no version")
	}
	return r, nil
}

// checkstyleRule is the check's name from that of its class.
func checkstyleRule(source string) string {
	return strings.TrimSuffix(source[strings.LastIndexByte(source, '.')+1:], "Check")
}

// checkstyleReason finds the parser's own words within a chain of exceptions.
func checkstyleReason(text string) string {
	if why := regexp.MustCompile(`(?m)\d+:\d+: .*$`).FindString(text); why != "" {
		return strings.TrimSpace(why)
	}
	return firstLine(text)
}

func checkstyleSeverity(s string) bench.Severity {
	switch s {
	case "error":
		return bench.SeverityError
	case "warning":
		return bench.SeverityWarning
	}
	return bench.SeverityNote
}
