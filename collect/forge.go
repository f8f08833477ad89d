package collect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/internal/github"
	"assay/internal/jsonl"
)

// GitHub answers questions about a repository; github.Client is one.
type GitHub interface {
	// Pulls reads a page of merged pull requests, last updated first, and Issues
	// those of the numbers that are issues.
	Pulls(ctx context.Context, repo, after string) (github.Page, error)
	Issues(ctx context.Context, repo string, numbers []int) ([]github.Issue, error)
}

// Forge is what GitHub said of a repository: a file that only grows, so that a
// run that was killed continues with the next page.
type Forge struct {
	repo   string // owner/name
	file   *jsonl.File
	about  github.Repository
	pulls  map[int]github.Pull
	issues map[int]github.Issue
	asked  map[int]bool // numbers that were looked up
	// until is the last update of any pull request when the last complete list
	// was begun; open is the list that is not complete.
	until time.Time
	open  *forgeLine
}

// forgeLine is a line of a Forge's file: a page, or issues that were looked up.
type forgeLine struct {
	// Top is the last update of any pull request when the list was begun, After
	// and End are where the page begins and ends. Last says that the list is
	// complete.
	Top   time.Time          `json:"top,omitzero"`
	After string             `json:"after,omitempty"`
	End   string             `json:"end,omitempty"`
	Last  bool               `json:"last,omitempty"`
	About *github.Repository `json:"about,omitempty"`
	Pulls []github.Pull      `json:"pulls,omitempty"`

	Asked  []int          `json:"asked,omitempty"`
	Issues []github.Issue `json:"issues,omitempty"`
}

// forgeDir is where the files of forges are, in a folder.
const forgeDir = "github"

// OpenForge opens what is known of a repository (owner/name, a path or a URL
// that ends so).
func (f *Folder) OpenForge(repo string) (*Forge, error) {
	owner, name := ownerName(repo)
	g := &Forge{repo: owner + "/" + name, pulls: map[int]github.Pull{}, issues: map[int]github.Issue{}, asked: map[int]bool{}}
	path := filepath.Join(f.Dir, forgeDir, owner+"__"+name+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	var err error
	g.file, err = jsonl.Open(path, func(_ jsonl.Line, text []byte) error {
		var l forgeLine
		if err := json.Unmarshal(text, &l); err != nil {
			return err
		}
		g.take(l)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return g, nil
}

// Close closes the file.
func (g *Forge) Close() error { return g.file.Close() }

// take adds a line's facts; later ones replace earlier ones.
func (g *Forge) take(l forgeLine) {
	for _, n := range l.Asked {
		g.asked[n] = true
	}
	for _, i := range l.Issues {
		g.issues[i.Number] = i
	}
	if l.About == nil {
		return
	}
	g.about = *l.About
	for _, p := range l.Pulls {
		g.pulls[p.Number] = p
		for _, i := range p.Closes {
			g.issues[i.Number] = i
		}
	}
	g.open = &l
	if l.Last {
		g.until, g.open = l.Top, nil
	}
}

func (g *Forge) append(l forgeLine) error {
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	if _, err := g.file.Append(text); err != nil {
		return err
	}
	g.take(l)
	return nil
}

// Sync reads the merged pull requests that were updated since the last time,
// and no earlier than since. A list that was not complete is continued, and then
// begun again for what was updated since it was cut. Where the server does not
// know a place any more, the list is begun again, once.
func (g *Forge) Sync(ctx context.Context, api GitHub, since time.Time) error {
	var top time.Time
	after, resumed, restarted := "", g.open != nil, false
	if resumed {
		top, after = g.open.Top, g.open.End
	}
	for {
		page, err := api.Pulls(ctx, g.repo, after)
		var lost *github.CursorError
		if errors.As(err, &lost) && after != "" && !restarted {
			after, top, g.open = "", time.Time{}, nil
			resumed, restarted = false, true
			continue
		}
		if err != nil {
			return err
		}
		if after == "" && len(page.Pulls) > 0 {
			top = page.Pulls[0].Updated
		}
		l := forgeLine{Top: top, After: after, End: page.End, About: &page.Repository, Pulls: page.Pulls}
		l.Last = page.End == "" || g.known(page, since)
		if l.Last && top.IsZero() {
			l.Top = g.until
		}
		if err := g.append(l); err != nil {
			return err
		}
		switch {
		case !l.Last:
			after = page.End
		case resumed:
			after, top, resumed = "", time.Time{}, false
		default:
			return nil
		}
	}
}

// known reports whether the pages that follow have nothing new.
func (g *Forge) known(page github.Page, since time.Time) bool {
	if len(page.Pulls) == 0 {
		return false
	}
	last := page.Pulls[len(page.Pulls)-1].Updated
	return last.Before(g.until) || last.Before(since)
}

// Lookup reads the issues that these changes name and that are not known yet.
func (g *Forge) Lookup(ctx context.Context, api GitHub, changes []Change) error {
	var numbers []int
	for _, c := range changes {
		for _, l := range c.Links {
			n, err := strconv.Atoi(l.Issue)
			if _, has := g.issues[n]; err == nil && !has && !g.asked[n] {
				numbers = append(numbers, n)
			}
		}
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	for some := range slices.Chunk(numbers, 100) {
		issues, err := api.Issues(ctx, g.repo, some)
		if err != nil {
			return err
		}
		if err := g.append(forgeLine{Asked: some, Issues: issues}); err != nil {
			return err
		}
	}
	return nil
}

// Licence is the repository's by GitHub; "" where it is not known.
func (g *Forge) Licence() string {
	if g == nil {
		return ""
	}
	return g.about.Licence
}

// merged are the numbers of pull requests by the commit that they became.
func (g *Forge) merged() map[string]int {
	by := map[string]int{}
	if g == nil {
		return by
	}
	for _, n := range sortedKeys(g.pulls) {
		if c := g.pulls[n].Commit; c != "" {
			by[c] = n
		}
	}
	return by
}

// pull is a pull request, where GitHub knows it as merged.
func (g *Forge) pull(number int) (github.Pull, bool) {
	if g == nil {
		return github.Pull{}, false
	}
	p, ok := g.pulls[number]
	return p, ok
}

// closed are links to the issues that a pull request closed.
func (g *Forge) closed(number int) []Link {
	var links []Link
	p, _ := g.pull(number)
	for _, i := range p.Closes {
		links = append(links, Link{strconv.Itoa(i.Number), ByEvent})
	}
	return links
}

// named are links to the issues that title and text of a pull request name by
// closing words and trailers. A text mentions other issues, too.
func (g *Forge) named(number int, patterns patterns) []Link {
	p, ok := g.pull(number)
	if !ok {
		return nil
	}
	links := patterns.links([]string{p.Title + "\n\n" + strings.ReplaceAll(p.Body, "\r\n", "\n")})
	return slices.DeleteFunc(links, func(l Link) bool { return l.By == ByMention || l.By == ByKey })
}

// with adds GitHub's issues to those of an export, which come first.
func (g *Forge) with(issues Issues) Issues {
	if g == nil {
		return issues
	}
	merged := Issues{byRepo: map[string]map[string]Issue{}, digest: strings.TrimSpace("github " + issues.digest)}
	for repo, of := range issues.byRepo {
		merged.byRepo[repo] = of
	}
	all := map[string]Issue{}
	for _, i := range g.issues {
		key := strconv.Itoa(i.Number)
		all[key] = Issue{Key: key, Title: i.Title, Body: i.Body, Created: i.Created, Edited: i.Edited, Labels: i.Labels}
	}
	repo := strings.ToLower(g.repo)
	maps.Copy(all, issues.byRepo[""])
	maps.Copy(all, issues.byRepo[repo])
	merged.byRepo[repo] = all
	return merged
}

// rebases recognises pull requests that were rebased: the commits before the
// one that GitHub names have the subjects of the pull request's own.
func (g *Forge) rebases(h *history, changes []found) []found {
	if g == nil {
		return changes
	}
	at := map[string]int{}
	for i, f := range changes {
		at[f.commit.ID] = i
	}
	gone := map[int]bool{}
	for i := range changes {
		f := &changes[i]
		p, ok := g.pull(f.number)
		if !ok || f.kind != Squash || p.Commit != f.commit.ID || p.Commits < 2 || p.Commits != len(p.Subjects) {
			continue
		}
		if n, _ := pullNumber(f.commit.Message, false); n == f.number {
			continue // squashed, as the message says
		}
		side, onto, ok := h.series(changes, at, f.commit.ID, p.Subjects)
		if !ok {
			continue
		}
		f.kind, f.side, f.onto = Rebase, side, onto
		for _, id := range side {
			gone[at[id]] = true
		}
	}
	var out []found
	for i, f := range changes {
		if !gone[i] {
			out = append(out, f)
		}
	}
	return out
}

// series are the commits below a commit that have, with it, these subjects,
// oldest first, and the commit below them all.
func (h *history) series(changes []found, at map[string]int, commit string, subjects []string) (side []string, onto string, ok bool) {
	for i := len(subjects) - 1; i >= 0; i-- {
		c, known := h.commits[commit]
		if !known || len(c.Parents) != 1 || !sameSubject(c.Subject(), subjects[i]) {
			return nil, "", false
		}
		if j, there := at[commit]; !there || i < len(subjects)-1 && changes[j].kind != Direct {
			return nil, "", false
		}
		if i < len(subjects)-1 {
			side = append(side, commit)
		}
		commit = c.Parents[0]
	}
	return side, commit, true
}

// sameSubject forgives that GitHub cuts long subjects.
func sameSubject(commit, said string) bool {
	short := strings.TrimSuffix(said, "…")
	return commit == said || short != said && strings.HasPrefix(commit, short)
}
