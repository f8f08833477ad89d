package languages

import (
	"context"
	"fmt"
	"path"
	"strings"

	"assay/bench"
	"assay/harness"
	"assay/internal/mirror"
)

// sourcesDir is where the copies are that git uses in place of repositories'
// hosts.
const sourcesDir = "/sources"

// sources provides the other repositories of the set-up: their archives, and
// the script that points the build at them. What cannot be fetched is named
// in the script's output and left out: whether the build needs it is for the
// build to say.
func (t *Testbed) sources(ctx context.Context) (archives []harness.Archive, script string, err error) {
	var b strings.Builder
	seen := map[string]bool{}
	for _, s := range t.env.Sources {
		dest := path.Join(sourcesDir, repoName(t.instance.Repo, s.Repo))
		if s.Path != "" {
			dest = path.Join(Root, s.Path)
		}
		if seen[dest] {
			continue
		}
		seen[dest] = true
		ref := branchName(s.Ref)
		repo, err := t.machine.Sources.Open(ctx, repoName(t.instance.Repo, s.Repo), ref)
		if ctx.Err() != nil {
			return nil, "", ctx.Err()
		}
		if err != nil {
			fmt.Fprintf(&b, "echo %s\n", quote(fmt.Sprintf("assay: %s at %s could not be fetched", s.Repo, s.Ref)))
			b.WriteString(fallback(s))
			continue
		}
		commit, missing, err := t.sourceCommit(ctx, repo, ref)
		if err != nil {
			return nil, "", fmt.Errorf("env.sources: %s: %w", s.Repo, err)
		}
		for _, f := range missing {
			fmt.Fprintf(&b, "echo %s\n", quote(fmt.Sprintf("assay: the mirror of %s lacks %s", s.Repo, f)))
		}
		a, err := repo.Archive(ctx, commit, mirror.Without(missing))
		if err != nil {
			return nil, "", fmt.Errorf("env.sources: %s: %w", s.Repo, err)
		}
		archives = append(archives, harness.Archive{Dest: dest, Digest: a.Digest, Open: a.Open})
		if s.Path == "" {
			b.WriteString(instead(s, dest))
		}
	}
	return archives, b.String(), nil
}

// sourceCommit is the commit of another repository that a name stood for at
// the instance's date, and the files of it that the mirror lacks. A mirror that
// is whole at the branch's end only gives that.
func (t *Testbed) sourceCommit(ctx context.Context, repo *mirror.Repo, ref string) (commit string, missing []string, err error) {
	if commit, err = repo.ResolveAt(ctx, ref, t.date()); err != nil {
		return "", nil, err
	}
	if missing, err = missingAt(ctx, repo, commit); err != nil || len(missing) == 0 {
		return commit, missing, err
	}
	end, err := repo.Resolve(ctx, ref)
	if err != nil || end == commit {
		return commit, missing, err
	}
	later, err := missingAt(ctx, repo, end)
	if err == nil && len(later) == 0 {
		return end, nil, nil
	}
	return commit, missing, err
}

func missingAt(ctx context.Context, repo *mirror.Repo, commit string) ([]string, error) {
	tree, err := repo.Tree(ctx, commit)
	if err != nil {
		return nil, err
	}
	return tree.Missing(ctx)
}

// branchName is the name that a mirror has for a branch of its remote's.
func branchName(ref string) string {
	for _, prefix := range []string{"origin/", "refs/heads/", "refs/tags/", "refs/remotes/origin/"} {
		if name, ok := strings.CutPrefix(ref, prefix); ok {
			return name
		}
	}
	return ref
}

// instead makes git take a copy wherever the repository's address is named,
// and CMake's FetchContent take it under its name. The settings are root's
// own: the machine's and ~/.gitconfig may be mounted in the set-up and cannot
// be replaced.
func instead(s bench.Source, dest string) string {
	var b strings.Builder
	url := strings.TrimSuffix(s.Repo, ".git")
	if !strings.Contains(url, "://") && !strings.Contains(url, "@") {
		url = "https://github.com/" + url
	}
	fmt.Fprintf(&b, "ln -sfn %s %s.git\n", quote(path.Base(dest)), quote(dest))
	fmt.Fprintf(&b, "mkdir -p ~/.config/git\n")
	fmt.Fprintf(&b, "git config --file ~/.config/git/config --replace-all safe.directory '*'\n")
	fmt.Fprintf(&b, "git config --file ~/.config/git/config --replace-all %s %s\n", quote("url."+dest+".insteadOf"), quote(url))
	if s.Ref != "HEAD" {
		fmt.Fprintf(&b, "git -C %s tag -f %s >/dev/null 2>&1 || true\n", quote(dest), quote(s.Ref))
	}
	b.WriteString(fetchContent(s.Name, dest))
	return b.String()
}

// fallback is a copy of Debian's for what cannot be fetched.
func fallback(s bench.Source) string {
	if path.Base(strings.TrimSuffix(s.Repo, ".git")) != "googletest" || s.Name == "" {
		return ""
	}
	const debian = "/usr/src/googletest"
	return "if [ -d " + debian + " ]; then\n" + fetchContent(s.Name, debian) + "fi\n"
}

func fetchContent(name, dir string) string {
	if name == "" {
		return ""
	}
	arg := "-DFETCHCONTENT_SOURCE_DIR_" + strings.ToUpper(name) + "=" + dir
	return fmt.Sprintf("mkdir -p %s && echo %s >>%s/cmake\n", cppSetUp, quote(arg), cppSetUp)
}

// repoName is owner/name of a repository's address, which may be relative to
// the instance's own as submodules' are.
func repoName(own, url string) string {
	if rest, ok := strings.CutPrefix(url, "../"); ok {
		owner, _, _ := strings.Cut(own, "/")
		rest = strings.TrimPrefix(rest, "../")
		if strings.Contains(rest, "/") {
			owner, rest, _ = strings.Cut(rest, "/")
		}
		return owner + "/" + strings.TrimSuffix(rest, ".git")
	}
	if m := gitHost.FindStringSubmatch(url); m != nil && strings.Contains(url, "github.com") {
		return m[1] + "/" + m[2]
	}
	return url
}
