package github

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"assay/llm"
)

// Repository is what GitHub reports about a repository.
type Repository struct {
	Name    string `json:"name"`              // owner/name as it is now
	Licence string `json:"licence,omitempty"` // SPDX identifier; "" where GitHub knows none
	Stars   int    `json:"stars"`
}

// Pull is a merged pull request.
type Pull struct {
	Number  int       `json:"number"`
	Title   string    `json:"title"`
	Body    string    `json:"body,omitempty"`
	Updated time.Time `json:"updated"`
	Merged  time.Time `json:"merged"`
	// Commit is the commit on the branch that it was merged into: the merge, the
	// squashed commit, or the last of those that were rebased.
	Commit string   `json:"commit,omitempty"`
	Labels []string `json:"labels,omitempty"`
	// Commits counts its own commits, and Subjects are the subjects of the
	// first ones (at most 30), oldest first.
	Commits  int      `json:"commits"`
	Subjects []string `json:"subjects,omitempty"`
	// Closes are the issues that it closed, those of other repositories left
	// out.
	Closes []Issue `json:"closes,omitempty"`
}

// Issue is an issue with its text as it is now.
type Issue struct {
	Number  int       `json:"number"`
	Title   string    `json:"title"`
	Body    string    `json:"body,omitempty"`
	Created time.Time `json:"created"`
	// Edited is when its text was last changed; zero where it never was.
	Edited time.Time `json:"edited,omitzero"`
	Labels []string  `json:"labels,omitempty"`
}

// Page is a part of the list of merged pull requests, last updated first.
type Page struct {
	Repository Repository
	Pulls      []Pull
	// End is where the next page begins; "" after the last one.
	End string
}

// CursorError means that the server does not know the place where a page was
// to begin.
type CursorError struct{ Err error }

func (e *CursorError) Error() string { return "the page's place is not known: " + e.Err.Error() }
func (e *CursorError) Unwrap() error { return e.Err }

// pageSize is how many pull requests are asked for at once; less where the
// server cannot answer that.
const pageSize = 50

const issueFields = `number title body createdAt lastEditedAt labels(first:20){nodes{name}} repository{nameWithOwner}`

const pullsQuery = `query($owner:String!,$name:String!,$first:Int!,$after:String){repository(owner:$owner,name:$name){
nameWithOwner stargazerCount licenseInfo{spdxId}
pullRequests(states:MERGED,first:$first,after:$after,orderBy:{field:UPDATED_AT,direction:DESC}){pageInfo{hasNextPage endCursor} nodes{
number title body updatedAt mergedAt mergeCommit{oid} labels(first:20){nodes{name}} commits(first:30){totalCount nodes{commit{messageHeadline}}}
closingIssuesReferences(first:10){nodes{` + issueFields + `}}}}}}`

// names are nodes with a name.
type names struct {
	Nodes []struct {
		Name string `json:"name"`
	} `json:"nodes"`
}

func (n *names) list() []string {
	if n == nil {
		return nil
	}
	var out []string
	for _, one := range n.Nodes {
		out = append(out, one.Name)
	}
	return out
}

type issueNode struct {
	Number     int        `json:"number"`
	Title      string     `json:"title"`
	Body       string     `json:"body"`
	Created    time.Time  `json:"createdAt"`
	Edited     *time.Time `json:"lastEditedAt"`
	Labels     *names     `json:"labels"`
	Repository struct {
		Name string `json:"nameWithOwner"`
	} `json:"repository"`
}

func (n issueNode) issue() Issue {
	i := Issue{Number: n.Number, Title: n.Title, Body: n.Body, Created: n.Created, Labels: n.Labels.list()}
	if n.Edited != nil {
		i.Edited = *n.Edited
	}
	return i
}

type pullNode struct {
	Number      int        `json:"number"`
	Title       string     `json:"title"`
	Body        string     `json:"body"`
	Updated     time.Time  `json:"updatedAt"`
	Merged      *time.Time `json:"mergedAt"`
	MergeCommit *struct {
		ID string `json:"oid"`
	} `json:"mergeCommit"`
	Labels  *names `json:"labels"`
	Commits struct {
		Total int `json:"totalCount"`
		Nodes []struct {
			Commit struct {
				Subject string `json:"messageHeadline"`
			} `json:"commit"`
		} `json:"nodes"`
	} `json:"commits"`
	Closes *struct {
		Nodes []*issueNode `json:"nodes"`
	} `json:"closingIssuesReferences"`
}

type pullsAnswer struct {
	Repository *struct {
		Name    string `json:"nameWithOwner"`
		Stars   int    `json:"stargazerCount"`
		Licence *struct {
			ID string `json:"spdxId"`
		} `json:"licenseInfo"`
		Pulls *struct {
			Page struct {
				More bool   `json:"hasNextPage"`
				End  string `json:"endCursor"`
			} `json:"pageInfo"`
			Nodes []*pullNode `json:"nodes"`
		} `json:"pullRequests"`
	} `json:"repository"`
}

// Pulls reads a page of the merged pull requests of owner/name, from where the
// last one ended; "" is the beginning.
func (c *Client) Pulls(ctx context.Context, repo, after string) (Page, error) {
	owner, name, _ := strings.Cut(repo, "/")
	q := func(heavy int) (string, map[string]any) {
		v := map[string]any{"owner": owner, "name": name, "first": max(pageSize>>heavy, 5), "after": nil}
		if after != "" {
			v["after"] = after
		}
		return pullsQuery, v
	}
	var page Page
	err := c.ask(ctx, q, func(data json.RawMessage, faults []fault) (err error) {
		page, err = readPage(data, faults, after)
		return err
	})
	var e *llm.Error
	if errors.As(err, &e) && e.Class == llm.Invalid && after != "" && strings.Contains(strings.ToLower(err.Error()), "cursor") {
		err = &CursorError{err}
	}
	if err != nil {
		return Page{}, fmt.Errorf("pull requests of %s: %w", repo, err)
	}
	return page, nil
}

func readPage(data json.RawMessage, faults []fault, after string) (Page, error) {
	var a pullsAnswer
	if err := json.Unmarshal(data, &a); err != nil {
		return Page{}, fail(llm.Malformed, 0, fmt.Errorf("the answer has another form: %w", err))
	}
	r := a.Repository
	switch {
	case r == nil:
		return Page{}, fail(llm.Invalid, 0, errors.New(cmp.Or(faultTexts(faults), "no such repository")))
	case r.Pulls == nil:
		return Page{}, fail(llm.Malformed, 0, errors.New(cmp.Or(faultTexts(faults), "the answer has no pull requests")))
	case r.Pulls.Page.More && (r.Pulls.Page.End == "" || r.Pulls.Page.End == after):
		return Page{}, fail(llm.Malformed, 0, errors.New("there are more pull requests, but the next page begins where this one does"))
	}
	page := Page{Repository: Repository{Name: r.Name, Stars: r.Stars}}
	if r.Licence != nil && r.Licence.ID != "NOASSERTION" {
		page.Repository.Licence = r.Licence.ID
	}
	if r.Pulls.Page.More {
		page.End = r.Pulls.Page.End
	}
	for _, n := range r.Pulls.Nodes {
		if n == nil {
			continue // deleted meanwhile, or not to be seen
		}
		if n.Number <= 0 || n.Merged == nil || n.Updated.IsZero() {
			return Page{}, fail(llm.Malformed, 0, errors.New("a pull request without number or date"))
		}
		page.Pulls = append(page.Pulls, n.pull(r.Name))
	}
	return page, nil
}

func (n *pullNode) pull(repo string) Pull {
	p := Pull{Number: n.Number, Title: n.Title, Body: n.Body, Updated: n.Updated, Merged: *n.Merged, Labels: n.Labels.list(), Commits: n.Commits.Total}
	if n.MergeCommit != nil {
		p.Commit = n.MergeCommit.ID
	}
	for _, c := range n.Commits.Nodes {
		p.Subjects = append(p.Subjects, c.Commit.Subject)
	}
	if n.Closes == nil {
		return p
	}
	for _, i := range n.Closes.Nodes {
		if i != nil && i.Number > 0 && strings.EqualFold(i.Repository.Name, repo) {
			p.Closes = append(p.Closes, i.issue())
		}
	}
	return p
}
