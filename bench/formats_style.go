package bench

import "slices"

// omniStyle is the field style_review of OmniCode's Python style instances.
type omniStyle struct {
	TotalFiles    int                      `json:"total_files"`
	TotalMessages int                      `json:"total_messages"`
	Files         map[string]omniStyleFile `json:"files"`
}

type omniStyleFile struct {
	MessageCount int                `json:"message_count"`
	Messages     []omniStyleMessage `json:"messages"`
}

type omniStyleMessage struct {
	Line    int    `json:"line"`
	Column  int    `json:"column"` // from 0
	Symbol  string `json:"symbol"`
	Message string `json:"message"`
	Type    string `json:"type"`
}

// styleReview takes OmniCode's listing as one style task by pylint. It names
// no rules, so that the linter's own list counts.
func (r *record) styleReview() []StyleTask {
	var o omniStyle
	if !r.has("style_review") || !r.strict("style_review", &o) || len(o.Files) == 0 {
		return nil
	}
	t := StyleTask{Linter: "pylint"}
	for _, path := range sortedKeys(o.Files) {
		t.Files = append(t.Files, path)
		for _, m := range o.Files[path].Messages {
			severity := SeverityWarning
			switch m.Type {
			case "error", "fatal":
				severity = SeverityError
			case "convention", "refactor":
				severity = SeverityNote
			}
			t.Findings = append(t.Findings, Finding{
				Tool: "pylint", Rule: m.Symbol, Path: path, Message: m.Message, Severity: severity,
				Range: Range{Line: m.Line, Column: m.Column + 1},
			})
		}
	}
	slices.SortStableFunc(t.Findings, func(a, b Finding) int {
		if a.Path != b.Path {
			return slices.Compare([]byte(a.Path), []byte(b.Path))
		}
		return a.Range.Line - b.Range.Line
	})
	return []StyleTask{t}
}
