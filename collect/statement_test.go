package collect

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const export = `{"number": 1, "title": "It breaks", "body": "Steps:\r\n1. run<!-- template -->", "created_at": "2020-01-01T00:00:00Z", "labels": ["bug", {"name": "core"}]}

{"number": "ABC-2", "title": "Key", "body": null, "created_at": "2020-01-01"}
{"number": 3, "title": "Late", "created_at": "2030-01-01"}
{"repo": "Owner/Name", "number": 4, "title": "Of one repository"}
{"repo": "other/name", "number": 5, "title": "Of another"}
{"number": 6, "title": "A pull request", "pull_request": {"url": "x"}}
`

func TestReadIssues(t *testing.T) {
	is, err := ReadIssues("f", strings.NewReader(export))
	require.NoError(t, err)
	for key, want := range map[string]string{"1": "It breaks", "abc-2": "Key", "3": "Late", "4": "Of one repository", "5": "", "6": "", "7": ""} {
		i, ok := is.Find("owner/name", key)
		require.Equal(t, want, i.Title, key)
		require.Equal(t, want != "", ok, key)
	}
	require.NoError(t, is.Check(1))
	require.EqualError(t, is.Check(2), "f:1: repo: expected owner/name on every line, as 2 repositories are collected")
	named, err := ReadIssues("f", strings.NewReader(`{"repo": "a/x", "number": 1}`))
	require.NoError(t, err)
	require.NoError(t, named.Check(2))
	one, _ := is.Find("owner/name", "1")
	require.Equal(t, []string{"bug", "core"}, one.Labels)
	for text, want := range map[string]string{
		"{}":                                     "f:1: number: expected a number or a key",
		"\n[1]":                                  "f:2: expected a JSON object",
		"{\"number\": 1, \"title\": 2}":          "f:1: title: expected string, got number",
		"{\"number\": 1, \"created_at\": \"x\"}": "f:1: created_at: expected a time",
		"{\"number\": 1, \"labels\": [3]}":       "f:1: labels: expected names",
		"{\"number\": 1}\n{\"number\": \"1\"}\n": "f:2: number: expected an issue that no earlier line holds",
		"{\"number\":":                           "f:1: expected a JSON object",
	} {
		_, err := ReadIssues("f", strings.NewReader(text))
		require.ErrorContains(t, err, want, text)
	}
}

func FuzzReadIssues(f *testing.F) {
	f.Add(export)
	f.Add(`{"number": {}, "labels": [null]}`)
	f.Fuzz(func(t *testing.T, text string) {
		is, err := ReadIssues("f", strings.NewReader(text))
		if err == nil {
			for repo, issues := range is.byRepo {
				require.Equal(t, strings.ToLower(repo), repo)
				for key := range issues {
					require.NotEmpty(t, key)
				}
			}
		}
	})
}

func TestStatement(t *testing.T) {
	is, err := ReadIssues("f", strings.NewReader(export))
	require.NoError(t, err)
	at := time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC)
	change := func(kind Kind, links []Link, changelog []string, messages ...string) Change {
		return Change{Repo: "owner/name", Date: at, Kind: kind, Subject: title(messages[0], kind == Merge), Messages: messages, Links: links, Changelog: changelog}
	}
	for name, c := range map[string]struct {
		change Change
		text   string
		from   []StatementSource
	}{
		"the issue's text": {change(Squash, []Link{{"1", ByClosingWord}}, nil, "Do it (#9)\n\nText of the pull request"), "It breaks\nSteps:\n1. run", []StatementSource{FromIssue}},
		"two issues":       {change(Direct, []Link{{"1", ByClosingWord}, {"ABC-2", ByKey}}, nil, "Do it"), "It breaks\nSteps:\n1. run\n\nKey", []StatementSource{FromIssue}},
		"an issue that is mentioned beside": {
			change(Direct, []Link{{"1", ByClosingWord}, {"4", ByMention}}, nil, "Do it"), "It breaks\nSteps:\n1. run", []StatementSource{FromIssue},
		},
		"an issue in a test's name beside": {
			change(Direct, []Link{{"1", ByClosingWord}, {"4", ByTestName}}, nil, "Do it"), "It breaks\nSteps:\n1. run", []StatementSource{FromIssue},
		},
		"an issue that came after the change": {change(Squash, []Link{{"3", ByClosingWord}}, nil, "Do it well (#9)"), "Do it well", []StatementSource{FromPull}},
		"a commit": {
			change(Direct, nil, nil, "Do it\n\nFixes #7\n\nIt was wrong.\n\n\nBecause.\nSigned-off-by: A <a@b>"), "Do it\n\nIt was wrong.\n\nBecause.", []StatementSource{FromCommit},
		},
		"a merge": {
			change(Merge, nil, nil, "Merge pull request #9 from a/b\n\nDo it\n\nText", "first step\n\nWhy.", "Merge branch 'main' into b"), "Do it\n\nText\n\nfirst step\n\nWhy.", []StatementSource{FromPull},
		},
		"a merge request": {
			change(Merge, nil, nil, "Merge branch 'fix' into 'master'\n\nFix crash on empty input\n\nIt was read twice.\n\nSee merge request g/p!34"),
			"Fix crash on empty input\n\nIt was read twice.", []StatementSource{FromPull},
		},
		"a merge that only a ref knows":            {change(Merge, nil, nil, "By hand, as it was\n\nFix crash on empty input"), "By hand, as it was\n\nFix crash on empty input", []StatementSource{FromPull}},
		"a merge with its title behind the number": {change(Merge, nil, nil, "Merge PR #12: Fix a crash\n\nOn empty input."), "Fix a crash\n\nOn empty input.", []StatementSource{FromPull}},
		"a squash": {change(Squash, nil, nil, "Do it (#9)\n\n* step (#8)\n* step\n---------\nCo-authored-by: A <a@b>"), "Do it\n\n- step", []StatementSource{FromPull}},
		"a changelog": {
			change(Direct, nil, []string{"- What it was. (#7)"}, "Do it"), "Do it\n\nFrom the changelog:\n- What it was.", []StatementSource{FromCommit, FromChangelog},
		},
		"nothing but a link": {change(Direct, nil, nil, "Fix #7"), "", nil},
	} {
		text, sources, _ := statement(c.change, is)
		require.Equal(t, c.text, text, name)
		require.Equal(t, c.from, sources, name)
	}
}
