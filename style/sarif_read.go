package style

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"strconv"
	"strings"

	"assay/bench"
)

// maxSARIF bounds a log's size in bytes.
const maxSARIF = 256 << 20

// ReadSARIF reads the findings of all runs of a SARIF 2.1.0 log, sorted.
// Results of a kind that is no finding (pass, notApplicable, ...) are left
// out. Of several locations the first counts. Paths are relative to the
// repository if the log has them so: base ids and file: prefixes are dropped.
func ReadSARIF(r io.Reader) ([]bench.Finding, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxSARIF+1))
	if err != nil {
		return nil, fmt.Errorf("reading SARIF: %w", err)
	}
	if len(data) > maxSARIF {
		return nil, fmt.Errorf("reading SARIF: more than %d bytes", maxSARIF)
	}
	var log sarifLog
	if err := json.Unmarshal([]byte(strings.TrimPrefix(string(data), "\ufeff")), &log); err != nil {
		return nil, fmt.Errorf("reading SARIF: %w", placed(err, data))
	}
	if log.Version != sarifVersion {
		return nil, fmt.Errorf("reading SARIF: version %q: expected %s", log.Version, sarifVersion)
	}
	var out []bench.Finding
	for i, run := range log.Runs {
		if run.Tool.Driver.Name == "" {
			return nil, fmt.Errorf("reading SARIF: runs[%d].tool.driver.name: expected the name of a tool", i)
		}
		for k, res := range run.Results {
			switch res.Kind {
			case "", "fail", "open", "review":
			default:
				continue
			}
			f, err := run.finding(res)
			if err != nil {
				return nil, fmt.Errorf("reading SARIF: runs[%d].results[%d]: %w", i, k, err)
			}
			out = append(out, f)
		}
	}
	SortFindings(out)
	return out, nil
}

// placed adds the line to an error of the JSON decoder.
func placed(err error, data []byte) error {
	var offset int64
	var syntax *json.SyntaxError
	var typed *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &typed):
		offset = typed.Offset
	default:
		return err
	}
	return fmt.Errorf("line %d: %w", 1+strings.Count(string(data[:min(int(offset), len(data))]), "\n"), err)
}

func (r sarifRun) finding(res sarifResult) (bench.Finding, error) {
	rule, id, err := r.rule(res)
	if err != nil {
		return bench.Finding{}, err
	}
	f := bench.Finding{Tool: r.Tool.Driver.Name, Rule: id, Message: message(res.Message, rule), Severity: severity(res, rule)}
	if len(res.Locations) > 0 {
		at := res.Locations[0]
		if f.Path, err = r.path(at.Physical.Artifact); err != nil {
			return f, err
		}
		if f.Range, f.Line, err = regionOf(at.Physical); err != nil {
			return f, err
		}
		if len(at.Logical) > 0 {
			f.Symbol = at.Logical[0].Name
		}
	}
	for _, s := range res.Suppressions {
		if s.Status == "rejected" || s.Status == "underReview" {
			continue
		}
		if f.Suppressed = s.Justification; f.Suppressed == "" {
			f.Suppressed = s.Kind
		}
	}
	return f, nil
}

// rule finds a result's rule by its id or its index among the driver's. What
// extensions define has an id in every log that was seen.
func (r sarifRun) rule(res sarifResult) (*sarifRule, string, error) {
	id, index := res.RuleID, res.RuleIndex
	if res.Rule != nil {
		if id == "" {
			id = res.Rule.ID
		}
		if index == nil {
			index = res.Rule.Index
		}
	}
	rules := r.Tool.Driver.Rules
	if index != nil && *index >= 0 && *index < len(rules) && (id == "" || strings.HasPrefix(id, rules[*index].ID)) {
		if id == "" {
			id = rules[*index].ID
		}
		return &rules[*index], id, nil
	}
	if id == "" {
		return nil, "", errors.New("ruleId: expected a rule's id, or an index of a rule that is there")
	}
	for i := range rules {
		if rules[i].ID == id {
			return &rules[i], id, nil
		}
	}
	return nil, id, nil
}

// message is the text, or the rule's with its placeholders filled.
func message(m sarifMessage, rule *sarifRule) string {
	text := m.Text
	if text == "" && rule != nil {
		text = rule.Strings[m.ID].Text
	}
	if len(m.Arguments) > 0 {
		var pairs []string
		for i, a := range m.Arguments {
			pairs = append(pairs, "{"+strconv.Itoa(i)+"}", a)
		}
		text = strings.NewReplacer(pairs...).Replace(text)
	}
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
}

func severity(res sarifResult, rule *sarifRule) bench.Severity {
	level := res.Level
	if level == "" && rule != nil && rule.Default != nil {
		level = rule.Default.Level
	}
	switch s := bench.Severity(level); s {
	case bench.SeverityError, bench.SeverityNote:
		return s
	case levelNone:
		return ""
	}
	return bench.SeverityWarning // SARIF's default
}

func (r sarifRun) path(ref sarifArtifactRef) (string, error) {
	if ref.URI == "" && ref.Index != nil {
		if *ref.Index < 0 || *ref.Index >= len(r.Artifacts) {
			return "", fmt.Errorf("artifactLocation.index: %d is not one of %d artifacts", *ref.Index, len(r.Artifacts))
		}
		ref = r.Artifacts[*ref.Index].Location
	}
	if ref.URI == "" {
		return "", nil
	}
	u, err := url.Parse(ref.URI)
	if err != nil {
		return "", fmt.Errorf("artifactLocation.uri: %w", err)
	}
	p := u.Path
	if u.Opaque != "" {
		if p, err = url.PathUnescape(u.Opaque); err != nil {
			return "", fmt.Errorf("artifactLocation.uri: %w", err)
		}
	}
	if u.Scheme == "" {
		return strings.TrimPrefix(path.Clean(p), "./"), nil
	}
	return path.Clean(p), nil
}

// regionOf reads a region; the end column becomes one of the last character.
func regionOf(at sarifPhysical) (bench.Range, string, error) {
	g := at.Region
	if g == nil {
		return bench.Range{}, "", nil
	}
	for _, n := range []int{g.StartLine, g.StartColumn, g.EndLine, g.EndColumn} {
		if n < 0 {
			return bench.Range{}, "", fmt.Errorf("region: %d: lines and columns count from 1", n)
		}
	}
	out := bench.Range{Line: g.StartLine, Column: g.StartColumn, EndLine: g.EndLine, EndColumn: max(0, g.EndColumn-1)}
	line := ""
	if g.Snippet != nil {
		line, _, _ = strings.Cut(g.Snippet.Text, "\n")
		line = strings.TrimSuffix(line, "\r")
	}
	return out, line, nil
}
