package github

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"assay/llm"
)

// lookupSize is how many numbers are asked for at once.
const lookupSize = 50

// Issues reads issues by their numbers. Those that are pull requests, or that
// are not there, are left out.
func (c *Client) Issues(ctx context.Context, repo string, numbers []int) ([]Issue, error) {
	var found []Issue
	for len(numbers) > 0 {
		issues, asked, err := c.lookup(ctx, repo, numbers)
		if err != nil {
			return nil, fmt.Errorf("issues of %s: %w", repo, err)
		}
		found = append(found, issues...)
		numbers = numbers[asked:]
	}
	return found, nil
}

// lookup asks for the first of the numbers, and returns how many it asked for.
func (c *Client) lookup(ctx context.Context, repo string, numbers []int) (found []Issue, asked int, err error) {
	owner, name, _ := strings.Cut(repo, "/")
	q := func(heavy int) (string, map[string]any) {
		asked = min(len(numbers), max(lookupSize>>heavy, 1))
		return issuesQuery(numbers[:asked]), map[string]any{"owner": owner, "name": name}
	}
	err = c.ask(ctx, q, func(data json.RawMessage, faults []fault) (err error) {
		found, err = readIssues(data, faults, numbers[:asked])
		return err
	})
	return found, asked, err
}

func issuesQuery(numbers []int) string {
	var b strings.Builder
	b.WriteString("query($owner:String!,$name:String!){repository(owner:$owner,name:$name){\n")
	for _, n := range numbers {
		fmt.Fprintf(&b, "n%d:issueOrPullRequest(number:%d){__typename ...on Issue{%s}}\n", n, n, issueFields)
	}
	b.WriteString("}}")
	return b.String()
}

func readIssues(data json.RawMessage, faults []fault, numbers []int) ([]Issue, error) {
	var a struct {
		Repository map[string]*struct {
			Type string `json:"__typename"`
			issueNode
		} `json:"repository"`
	}
	if err := json.Unmarshal(data, &a); err != nil {
		return nil, fail(llm.Malformed, 0, fmt.Errorf("the answer has another form: %w", err))
	}
	if a.Repository == nil {
		return nil, fail(llm.Invalid, 0, errors.New(cmp.Or(faultTexts(faults), "no such repository")))
	}
	var found []Issue
	for _, n := range numbers {
		one := a.Repository[fmt.Sprintf("n%d", n)]
		if one == nil || one.Type != "Issue" {
			continue
		}
		// An issue that was moved has another number in another repository.
		if one.Number == n {
			found = append(found, one.issue())
		}
	}
	return found, nil
}
