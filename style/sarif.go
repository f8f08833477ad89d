package style

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"assay/bench"
)

// SARIFRun is what one linter said, for WriteSARIF. Rules lists the rules that
// were active; those of the findings are added.
type SARIFRun struct {
	Tool     string
	Version  string
	Rules    []string
	Findings []bench.Finding
}

const (
	sarifVersion = "2.1.0"
	sarifSchema  = "https://json.schemastore.org/sarif-2.1.0.json"
	// fingerprintName names our fingerprint and the version of its making.
	fingerprintName = "assayFinding/v1"
)

// The parts of SARIF 2.1.0 that findings need, in its own names.
type (
	sarifLog struct {
		Schema  string     `json:"$schema,omitempty"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool       `json:"tool"`
		ColumnKind string          `json:"columnKind,omitempty"`
		Artifacts  []sarifArtifact `json:"artifacts,omitempty"`
		Results    []sarifResult   `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules,omitempty"`
	}
	sarifRule struct {
		ID      string                  `json:"id"`
		Strings map[string]sarifMessage `json:"messageStrings,omitempty"`
		Default *struct {
			Level string `json:"level,omitempty"`
		} `json:"defaultConfiguration,omitempty"`
	}
	sarifMessage struct {
		Text      string   `json:"text,omitempty"`
		ID        string   `json:"id,omitempty"`
		Arguments []string `json:"arguments,omitempty"`
	}
	sarifResult struct {
		RuleID       string             `json:"ruleId,omitempty"`
		RuleIndex    *int               `json:"ruleIndex,omitempty"`
		Rule         *sarifRuleRef      `json:"rule,omitempty"`
		Kind         string             `json:"kind,omitempty"`
		Level        string             `json:"level,omitempty"`
		Message      sarifMessage       `json:"message"`
		Locations    []sarifLocation    `json:"locations,omitempty"`
		Prints       map[string]string  `json:"partialFingerprints,omitempty"`
		Suppressions []sarifSuppression `json:"suppressions,omitempty"`
	}
	sarifRuleRef struct {
		ID    string `json:"id,omitempty"`
		Index *int   `json:"index,omitempty"`
	}
	sarifLocation struct {
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifactRef `json:"artifactLocation"`
		Region   *sarifRegion     `json:"region,omitempty"`
	}
	sarifArtifact struct {
		Location sarifArtifactRef `json:"location"`
	}
	sarifArtifactRef struct {
		URI   string `json:"uri,omitempty"`
		Index *int   `json:"index,omitempty"`
	}
	sarifRegion struct {
		StartLine   int          `json:"startLine,omitempty"`
		StartColumn int          `json:"startColumn,omitempty"`
		EndLine     int          `json:"endLine,omitempty"`
		EndColumn   int          `json:"endColumn,omitempty"`
		Snippet     *sarifSource `json:"snippet,omitempty"`
	}
	sarifSource struct {
		Text string `json:"text"`
	}
	sarifLogical struct {
		Name string `json:"fullyQualifiedName,omitempty"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Status        string `json:"status,omitempty"`
		Justification string `json:"justification,omitempty"`
	}
)

// WriteSARIF writes runs as one SARIF 2.1.0 log: findings sorted, with
// fingerprints that do not hold line numbers, suppressions, and the rules'
// ids. SARIF's end column lies behind the last character, ours on it.
func WriteSARIF(w io.Writer, runs ...SARIFRun) error {
	log := sarifLog{Schema: sarifSchema, Version: sarifVersion, Runs: []sarifRun{}}
	for _, r := range runs {
		log.Runs = append(log.Runs, r.sarif())
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(log); err != nil {
		return fmt.Errorf("writing SARIF: %w", err)
	}
	return nil
}

func (r SARIFRun) sarif() sarifRun {
	names := slices.Clone(r.Rules)
	for _, f := range r.Findings {
		names = append(names, f.Rule)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	out := sarifRun{Tool: sarifTool{Driver: sarifDriver{Name: r.Tool, Version: r.Version}}, ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	for _, name := range names {
		out.Tool.Driver.Rules = append(out.Tool.Driver.Rules, sarifRule{ID: name})
	}
	count := map[string]int{}
	mask := newMasker()
	for _, f := range sortedFindings(r.Findings) {
		index, _ := slices.BinarySearch(names, f.Rule)
		res := sarifOf(f)
		res.RuleIndex = &index
		print := fingerprint(f, mask)
		count[print]++
		res.Prints = map[string]string{fingerprintName: fmt.Sprintf("%s:%d", print, count[print])}
		out.Results = append(out.Results, res)
	}
	return out
}

// fingerprint is of what stays when lines move: rule, path, the line's text
// and the message without numbers. Equal ones are told apart by a counter.
func fingerprint(f bench.Finding, mask masker) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{f.Rule, f.Path, squeeze(f.Line), mask.numbers(f.Message)}, "\x00")))
	return hex.EncodeToString(sum[:8])
}

func sarifOf(f bench.Finding) sarifResult {
	res := sarifResult{RuleID: f.Rule, Level: string(f.Severity), Message: sarifMessage{Text: f.Message}}
	if f.Severity == "" {
		res.Level = levelNone
	}
	at := sarifLocation{Physical: sarifPhysical{Artifact: sarifArtifactRef{URI: (&url.URL{Path: f.Path}).String()}}}
	if r := f.Range; r.Line > 0 {
		region := &sarifRegion{StartLine: r.Line, StartColumn: r.Column, EndLine: r.EndLine}
		if r.EndColumn > 0 {
			region.EndColumn = r.EndColumn + 1
		}
		if f.Line != "" {
			region.Snippet = &sarifSource{Text: f.Line}
		}
		at.Physical.Region = region
	}
	if f.Symbol != "" {
		at.Logical = []sarifLogical{{Name: f.Symbol}}
	}
	res.Locations = []sarifLocation{at}
	if f.Suppressed != "" {
		res.Suppressions = []sarifSuppression{{Kind: "inSource", Justification: f.Suppressed}}
	}
	return res
}

// levelNone is SARIF's grade for what has none.
const levelNone = "none"
