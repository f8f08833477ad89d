package collect

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/internal/mirror"
	"assay/languages"
)

// Filter is what changes must be like. A bound of zero does not limit anything.
type Filter struct {
	Since, Until time.Time // of the change's commit on the main line; Until is not included
	MaxFiles     int       // source files
	MaxLines     int       // added and removed lines of source
	// Unlinked keeps changes that name no issue.
	Unlinked bool
	// MinShare is the least percentage of the repository's code that is in the
	// change's language.
	MinShare int `json:",omitempty"`
}

// Source is a repository to find changes in.
type Source struct {
	Repo *mirror.Repo
	// Name is owner/name, an absolute path or a URL, as instances have it.
	Name string
	// Head is the commit up to which the history counts; a full id.
	Head string
	// Licence is the SPDX identifier at Head; "" where it is not known.
	Licence   string
	Languages *languages.Registry
	// Forge is what GitHub knows about the repository, and API is asked for
	// the issues that changes name. Both are nil if only the clone counts.
	Forge *Forge
	API   GitHub
}

// Find lists the changes of a repository's main line, newest first. A change that
// is not a candidate has the reason. The same history gives the same list.
func Find(ctx context.Context, s Source, f Filter) ([]Change, error) {
	h, founds, err := s.history(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	p := s.patterns(h, founds)
	w := &search{source: s, filter: f, history: h, reverted: h.reverted(p.repo), patterns: p}
	changes := make([]Change, len(founds))
	for i, one := range founds {
		changes[i] = w.describe(one)
	}
	uniqueIDs(changes)
	for _, step := range []func(context.Context, []Change) error{w.byPaths, w.byShare, w.byAdded} {
		if err := step(ctx, changes); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	w.finish(changes)
	return changes, nil
}

// history reads the log and what is known of pull requests.
func (s Source) history(ctx context.Context) (*history, []found, error) {
	pulls, err := s.Repo.Pulls(ctx)
	if err != nil {
		return nil, nil, err
	}
	commits, err := s.Repo.History(ctx, s.Head)
	if err != nil {
		return nil, nil, err
	}
	h := newHistory(commits, pulls)
	h.merged = s.Forge.merged()
	revisions := []string{"^" + s.Head}
	for _, n := range sortedKeys(pulls) {
		if _, merged := h.commits[pulls[n]]; !merged {
			revisions = append(revisions, pulls[n])
		}
	}
	var unmerged []mirror.Commit
	if len(revisions) > 1 {
		if unmerged, err = s.Repo.History(ctx, revisions...); err != nil {
			return nil, nil, err
		}
	}
	return h, s.Forge.rebases(h, h.rebases(h.mainline(s.Head), unmerged)), nil
}

// patterns know the numbers of all pull requests that refs or messages name.
func (s Source) patterns(h *history, founds []found) patterns {
	known := map[int]bool{}
	for n := range h.pulls {
		known[n] = true
	}
	for _, f := range founds {
		known[f.number] = true
	}
	if s.Forge != nil {
		for n := range s.Forge.pulls {
			known[n] = true
		}
	}
	owner, short := ownerName(s.Name)
	return patterns{repo: strings.ToLower(owner + "/" + short), pull: func(n int) bool { return known[n] }}
}

// reverted are the commits that later ones undo, by their ids or the first
// seven digits of these, and the pull requests, as #12.
func (h *history) reverted(repo string) map[string]bool {
	gone := map[string]bool{}
	for _, c := range h.commits {
		for _, m := range revertedID.FindAllStringSubmatch(c.Message, -1) {
			gone[m[1]] = true
			gone[m[1][:7]] = true
		}
		for _, m := range revertedPull.FindAllStringSubmatch(c.Message, -1) {
			if of := m[1] + m[2]; of == "" || strings.EqualFold(of, repo) {
				gone["#"+m[3]] = true
			}
		}
	}
	return gone
}

// search is the work on one repository.
type search struct {
	source   Source
	filter   Filter
	history  *history
	reverted map[string]bool
	patterns patterns
}

// describe makes a change of what was found, and decides by messages and dates.
func (w *search) describe(f found) Change {
	c := Change{
		Repo: w.source.Name, CutOff: w.source.Head, Kind: f.kind, Number: f.number, Onto: f.onto, Commit: f.commit.ID, Head: f.head,
		Date: f.commit.Committed, Subject: w.subject(f),
	}
	c.ID = w.id(c)
	if f.kind == Rebase {
		c.Copies = f.side
	}
	c.Messages = []string{f.commit.Message}
	for _, id := range f.side {
		c.Messages = append(c.Messages, w.history.commits[id].Message)
	}
	forge := w.source.Forge
	c.Links = strongest(slices.Concat(forge.closed(c.Number), w.patterns.links(c.Messages), forge.named(c.Number, w.patterns)))
	c.Dropped = w.byMessage(f, c)
	return c
}

// subject is the title of a change. A merge whose message has no title gets that
// of the first commit that it merged.
func (w *search) subject(f found) string {
	if t := title(f.commit.Message, f.kind == Merge); t != "" {
		return t
	}
	if len(f.side) > 0 {
		return title(w.history.commits[f.side[len(f.side)-1]].Message, false)
	}
	return f.commit.Subject()
}

// id is what the instance will be called.
func (w *search) id(c Change) string {
	owner, short := ownerName(w.source.Name)
	if c.Number > 0 {
		return fmt.Sprintf("%s__%s-%d", owner, short, c.Number)
	}
	return fmt.Sprintf("%s__%s-%s", owner, short, c.Commit[:12])
}

// uniqueIDs names the commit too, where a pull request came in several changes;
// the first of them has the plain id.
func uniqueIDs(changes []Change) {
	taken := map[string]bool{}
	for i := len(changes) - 1; i >= 0; i-- {
		c := &changes[i]
		if taken[c.ID] {
			c.ID += "-" + c.Commit[:12]
		}
		taken[c.ID] = true
	}
}

func (w *search) byMessage(f found, c Change) Reason {
	switch {
	case f.onto == "":
		return FirstCommit
	case f.nothing:
		return BranchMerge
	case !w.filter.Since.IsZero() && c.Date.Before(w.filter.Since), !w.filter.Until.IsZero() && !c.Date.Before(w.filter.Until):
		return OutsideDates
	case revertSubject.MatchString(c.Subject):
		return Revert
	case w.reverted[c.Commit] || w.reverted[c.Commit[:7]] || w.reverted[cmp.Or(c.Head, c.Commit)] || c.Number > 0 && w.reverted["#"+strconv.Itoa(c.Number)]:
		return Reverted
	case backport.MatchString(c.Subject), backport.MatchString(f.branch), strings.Contains(f.commit.Message, "(cherry picked from commit"):
		return Backport
	}
	return ""
}

// byPaths decides by what files a change touches.
func (w *search) byPaths(ctx context.Context, changes []Change) error {
	changed, err := w.source.Repo.Changed(ctx, kept(changes))
	if err != nil {
		return err
	}
	for i := range changes {
		if c := &changes[i]; c.Dropped == "" {
			w.measure(c, together(changed, c.commits()))
		}
	}
	return nil
}

func kept(changes []Change) []string {
	var commits []string
	for _, c := range changes {
		if c.Dropped == "" {
			commits = append(commits, c.commits()...)
		}
	}
	return commits
}

// commits are those on the main line that make up the change.
func (c *Change) commits() []string { return append([]string{c.Commit}, c.Copies...) }

// together are the paths that several commits changed, sorted.
func together(changed map[string][]string, commits []string) []string {
	var paths []string
	for _, id := range commits {
		paths = append(paths, changed[id]...)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// measure finds a change's language and how many source files it touches, and
// drops it by them. Lines are counted when it is divided.
func (w *search) measure(c *Change, paths []string) {
	l, why := languageOf(w.source.Languages, paths)
	if l == nil {
		c.Dropped = why
		return
	}
	c.Language = l.About().Name
	for _, p := range paths {
		if k := l.Classify(p); k == languages.SourcePath || k == languages.BuildPath {
			c.SourceFiles++
		}
	}
	c.Dropped, c.Detail = w.filter.size(c.SourceFiles, 0)
}

// size reports whether a change is too large.
func (f Filter) size(files, lines int) (why Reason, detail string) {
	if f.MaxFiles > 0 && files > f.MaxFiles || f.MaxLines > 0 && lines > f.MaxLines {
		return TooLarge, fmt.Sprintf("%d source files, %d lines", files, lines)
	}
	return "", ""
}

// languageOf is the language of which paths hold both source and tests, by the
// most files; or why there is none.
func languageOf(known *languages.Registry, paths []string) (languages.Language, Reason) {
	var best languages.Language
	most, source, tests := 0, false, false
	for _, name := range known.Names() {
		l := known.Named(name)
		s, t := 0, 0
		for _, p := range paths {
			switch kind := l.Classify(p); {
			case kind == languages.TestPath && l.About().IsRunnable(p):
				t++
			case kind == languages.SourcePath && l.About().IsCode(p) && !l.About().IsCommon(p):
				s++
			}
		}
		source, tests = source || s > 0, tests || t > 0
		if s > 0 && t > 0 && s+t > most {
			best, most = l, s+t
		}
	}
	switch {
	case best != nil:
		return best, ""
	case len(paths) == 0:
		return nil, EmptyChange
	case source:
		return nil, NoTests
	case tests:
		return nil, NoSource
	}
	return nil, withoutCode(known, paths)
}

// withoutCode classifies a change that touches no code of a known language.
func withoutCode(known *languages.Registry, paths []string) Reason {
	doc := func(p string) bool {
		return slices.ContainsFunc(known.Names(), func(name string) bool { return known.Named(name).Classify(p) == languages.DocPath })
	}
	rest := slices.DeleteFunc(slices.Clone(paths), doc)
	switch {
	case len(rest) == 0:
		return Documentation
	case !slices.ContainsFunc(rest, func(p string) bool { return !isConfiguration(known, p) }):
		return Configuration
	}
	return NoSource
}

func isConfiguration(known *languages.Registry, p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case ".yml", ".yaml", ".toml", ".cfg", ".ini", ".json", ".xml", ".properties", ".lock":
		return true
	}
	return slices.ContainsFunc(known.Names(), func(name string) bool {
		k := known.Named(name).Classify(p)
		return k == languages.BuildPath || k == languages.RunnerPath
	})
}

// byAdded looks for links in changelogs, news fragments and the names of tests.
func (w *search) byAdded(ctx context.Context, changes []Change) error {
	byLanguage := map[string][]*Change{}
	for i := range changes {
		if c := &changes[i]; c.Dropped == "" && c.Language != "" {
			byLanguage[c.Language] = append(byLanguage[c.Language], c)
		}
	}
	for _, name := range sortedKeys(byLanguage) {
		l := w.source.Languages.Named(name)
		specs := changelogSpecs()
		for _, ext := range l.About().Tests {
			specs = append(specs, "*"+ext)
		}
		var commits []string
		for _, c := range byLanguage[name] {
			commits = append(commits, c.commits()...)
		}
		added, err := w.source.Repo.Added(ctx, commits, specs)
		if err != nil {
			return err
		}
		for _, c := range byLanguage[name] {
			var files []mirror.AddedLines
			for _, id := range c.commits() {
				files = append(files, added[id]...)
			}
			links, changelog := w.patterns.fromFiles(l, files)
			c.Links, c.Changelog = strongest(append(c.Links, links...)), changelog
		}
	}
	return nil
}

// finish drops changes that name no issue, and removes from dropped changes the
// data that is not needed any longer.
func (w *search) finish(changes []Change) {
	for i := range changes {
		c := &changes[i]
		if c.Dropped == "" && len(c.Links) == 0 && !w.filter.Unlinked {
			c.Dropped = NoIssue
		}
		if c.Dropped != "" {
			c.Messages, c.Changelog = nil, nil
		}
	}
}
