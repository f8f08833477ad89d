package collect

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Issue is an issue as a forge has it.
type Issue struct {
	Key     string // its number, or a key such as ABC-12
	Title   string
	Body    string
	Created time.Time // zero where the export does not say
	Edited  time.Time // the last change of its text; zero where there was none, or an export has it
	Labels  []string
}

// Issues are those of one or several repositories.
type Issues struct {
	// byRepo has "" for issues that name no repository.
	byRepo map[string]map[string]Issue
	// digest is of the export, "" where there is none, and unnamed the place of
	// its first line without a repository.
	digest, unnamed string
}

// Check returns an error where issues name no repository although so many are
// collected: their numbers would be taken for those of each.
func (is Issues) Check(repositories int) error {
	if is.unnamed == "" || repositories < 2 {
		return nil
	}
	return fmt.Errorf("%s: repo: expected owner/name on every line, as %d repositories are collected", is.unnamed, repositories)
}

// Find returns an issue of a repository by its key.
func (is Issues) Find(repo, key string) (Issue, bool) {
	for _, name := range []string{strings.ToLower(repo), ""} {
		if i, ok := is.byRepo[name][strings.ToUpper(key)]; ok {
			return i, true
		}
	}
	return Issue{}, false
}

// ReadIssues reads an export: JSON Lines with number, title, body, created_at
// and labels, each a name or an object with a name. A line with a repo
// (owner/name) is about that repository only. number may be a key in a string.
func ReadIssues(name string, r io.Reader) (Issues, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return Issues{}, fmt.Errorf("reading %s: %w", name, err)
	}
	sum := sha256.Sum256(data)
	is := Issues{byRepo: map[string]map[string]Issue{}, digest: hex.EncodeToString(sum[:])}
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		repo, issue, err := readIssue(line)
		if err != nil {
			return Issues{}, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		if repo == "" && is.unnamed == "" {
			is.unnamed = fmt.Sprintf("%s:%d", name, n)
		}
		repo = strings.ToLower(repo)
		if is.byRepo[repo] == nil {
			is.byRepo[repo] = map[string]Issue{}
		}
		if _, twice := is.byRepo[repo][issue.Key]; twice {
			return Issues{}, fmt.Errorf("%s:%d: number: expected an issue that no earlier line holds, got %s again", name, n, issue.Key)
		}
		is.byRepo[repo][issue.Key] = issue
	}
	return is, nil
}

func readIssue(line []byte) (repo string, _ Issue, err error) {
	var raw struct {
		Repo    string            `json:"repo"`
		Number  json.RawMessage   `json:"number"`
		Title   string            `json:"title"`
		Body    *string           `json:"body"`
		Created string            `json:"created_at"`
		Labels  []json.RawMessage `json:"labels"`
		Pull    json.RawMessage   `json:"pull_request"`
	}
	if err := json.Unmarshal(line, &raw); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) && wrong.Field != "" {
			return "", Issue{}, fmt.Errorf("%s: expected %s, got %s", wrong.Field, wrong.Type, wrong.Value)
		}
		return "", Issue{}, fmt.Errorf("expected a JSON object: %w", err)
	}
	issue := Issue{Key: strings.ToUpper(strings.Trim(string(raw.Number), `"`)), Title: raw.Title}
	if issue.Key == "" || issue.Key == "NULL" || strings.ContainsAny(issue.Key, " {[\\") {
		return "", Issue{}, fmt.Errorf("number: expected a number or a key, got %.40q", string(raw.Number))
	}
	if raw.Body != nil {
		issue.Body = *raw.Body
	}
	if issue.Created, err = readTime(raw.Created); err != nil {
		return "", Issue{}, fmt.Errorf("created_at: %w", err)
	}
	for _, l := range raw.Labels {
		label, err := readLabel(l)
		if err != nil {
			return "", Issue{}, err
		}
		issue.Labels = append(issue.Labels, label)
	}
	if len(raw.Pull) > 0 && string(raw.Pull) != "null" {
		// GitHub's list of issues holds pull requests as well.
		issue.Key = "pull " + issue.Key
	}
	return raw.Repo, issue, nil
}

func readTime(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339, time.DateTime, time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("expected a time (2006-01-02T15:04:05Z) or a date, got %q", text)
}

func readLabel(raw json.RawMessage) (string, error) {
	var name string
	if json.Unmarshal(raw, &name) == nil {
		return name, nil
	}
	var label struct {
		Name string `json:"name"`
	}
	if err := json.Unmarshal(raw, &label); err != nil || label.Name == "" {
		return "", fmt.Errorf("labels: expected names or objects with a name, got %.60q", string(raw))
	}
	return label.Name, nil
}
