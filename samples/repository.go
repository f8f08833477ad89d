package samples

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"time"
)

const branch = "refs/heads/main"

// repository is a bare git repository that is being made.
type repository struct {
	dir string
}

// writeRepository makes the instance's repository below dir, unless it is
// there, and returns the commit of base.
func writeRepository(ctx context.Context, dir string, d definition) (base string, err error) {
	made, err := os.MkdirTemp(dir, ".making-*")
	if err != nil {
		return "", fmt.Errorf("making a repository: %w", err)
	}
	defer os.RemoveAll(made)
	// Temporary folders are private; others may read the repository.
	if err := os.Chmod(made, 0o755); err != nil {
		return "", fmt.Errorf("making a repository: %w", err)
	}
	repo := repository{dir: made}
	base, err = repo.fill(ctx, d)
	if err != nil {
		return "", fmt.Errorf("making the repository of %s: %w", d.ID, err)
	}
	place := filepath.Join(dir, strings.ReplaceAll(d.Repo, "/", "__")+".git")
	return base, repo.moveTo(ctx, place)
}

// fill makes the history: the steps up to base, then the fix.
func (r repository) fill(ctx context.Context, d definition) (base string, err error) {
	created, err := time.Parse(time.RFC3339, d.CreatedAt)
	if err != nil {
		return "", err
	}
	stream, err := importStream(d, created)
	if err != nil {
		return "", err
	}
	// No template: hooks of the machine are not part of the sample.
	if _, err := r.git(ctx, nil, nil, "init", "--quiet", "--bare", "--template=", "--initial-branch=main"); err != nil {
		return "", err
	}
	if _, err := r.git(ctx, nil, stream, "fast-import", "--quiet"); err != nil {
		return "", err
	}
	if base, err = r.git(ctx, nil, nil, "rev-parse", branch); err != nil {
		return "", err
	}
	return base, r.commitFix(ctx, d, base, created)
}

// commitFix applies gold and hidden tests to base, without a work tree.
func (r repository) commitFix(ctx context.Context, d definition, base string, created time.Time) error {
	index := filepath.Join(r.dir, "making.index")
	defer os.Remove(index)
	date := gitDate(created.Add(48 * time.Hour))
	env := []string{"GIT_INDEX_FILE=" + index, "GIT_AUTHOR_DATE=" + date, "GIT_COMMITTER_DATE=" + date}
	if _, err := r.git(ctx, env, nil, "read-tree", base); err != nil {
		return err
	}
	for _, name := range []string{"gold", "test"} {
		text, err := d.patch(name)
		if err != nil {
			return err
		}
		if _, err := r.git(ctx, env, []byte(text), "apply", "--cached", "-"); err != nil {
			return err
		}
	}
	tree, err := r.git(ctx, env, nil, "write-tree")
	if err != nil {
		return err
	}
	commit, err := r.git(ctx, env, nil, "commit-tree", tree, "-p", base, "-m", d.Fix.Message)
	if err != nil {
		return err
	}
	if _, err := r.git(ctx, nil, nil, "update-ref", branch, commit); err != nil {
		return err
	}
	_, err = r.git(ctx, nil, nil, "update-ref", "refs/tags/"+d.Fix.Tag, commit)
	return err
}

// moveTo puts the repository in its place, or leaves the one that is there
// when it holds the same.
func (r repository) moveTo(ctx context.Context, place string) error {
	same, err := r.equals(ctx, repository{dir: place})
	if err != nil || same {
		return err
	}
	// Renaming fails where something is: what another Write put there in
	// the meantime stays.
	if os.Rename(r.dir, place) == nil {
		return nil
	}
	if same, err := r.equals(ctx, repository{dir: place}); err != nil || same {
		return err
	}
	if err := os.RemoveAll(place); err != nil {
		return fmt.Errorf("replacing a repository: %w", err)
	}
	if err := os.Rename(r.dir, place); err != nil {
		return fmt.Errorf("placing a repository: %w", err)
	}
	return nil
}

func (r repository) equals(ctx context.Context, other repository) (bool, error) {
	mine, err := r.git(ctx, nil, nil, "show-ref")
	if err != nil {
		return false, err
	}
	theirs, err := other.git(ctx, nil, nil, "show-ref")
	if err != nil {
		return false, ctx.Err() // nothing of use is there
	}
	_, err = other.git(ctx, nil, nil, "fsck", "--connectivity-only", "--no-dangling")
	return mine == theirs && err == nil, ctx.Err()
}

// git runs one command and returns what it prints, without the last newline.
// Neither the user's settings nor the environment of a git hook reach it.
func (r repository) git(ctx context.Context, env []string, input []byte, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = r.dir
	cmd.Env = append(gitEnviron(os.Environ()), "GIT_DIR="+r.dir)
	cmd.Env = append(cmd.Env, env...)
	cmd.Stdin = bytes.NewReader(input)
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return "", fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(exit.Stderr))
		}
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}

func gitEnviron(inherited []string) []string {
	var out []string
	for _, kv := range inherited {
		if !strings.HasPrefix(kv, "GIT_") {
			out = append(out, kv)
		}
	}
	return append(out, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_DEFAULT_HASH=sha1", "LC_ALL=C",
		"GIT_AUTHOR_NAME="+authorName, "GIT_AUTHOR_EMAIL="+authorEmail,
		"GIT_COMMITTER_NAME="+authorName, "GIT_COMMITTER_EMAIL="+authorEmail)
}

const (
	authorName  = "Sample Author"
	authorEmail = "author@assay-samples.example"
)

func gitDate(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) + " +0000" }

// importStream writes the history up to base for git fast-import; the last
// step ends a day before the issue was written.
func importStream(d definition, created time.Time) ([]byte, error) {
	files, err := d.files()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	for i, s := range d.History {
		when := gitDate(created.Add(-24 * time.Hour * time.Duration(1+7*(len(d.History)-1-i))))
		fmt.Fprintf(&b, "commit %s\nauthor %s <%s> %s\ncommitter %s <%s> %s\n",
			branch, authorName, authorEmail, when, authorName, authorEmail, when)
		fmt.Fprintf(&b, "data %d\n%s\n\n", len(s.Message)+1, s.Message)
		added := matching(files, s.Paths)
		if len(added) == 0 {
			return nil, fmt.Errorf("step %q of the history adds nothing", s.Message)
		}
		for _, name := range added {
			fmt.Fprintf(&b, "M 100644 inline %s\ndata %d\n", strconv.Quote(name), len(files[name]))
			b.Write(files[name])
			b.WriteByte('\n')
			delete(files, name)
		}
	}
	if len(files) > 0 {
		return nil, fmt.Errorf("the history leaves %d files out", len(files))
	}
	return b.Bytes(), nil
}

// matching lists the files at or below the paths; "." means all.
func matching(files map[string][]byte, paths []string) []string {
	var out []string
	for name := range files {
		for _, p := range paths {
			if p == "." || name == p || strings.HasPrefix(name, p+"/") {
				out = append(out, name)
				break
			}
		}
	}
	sort.Strings(out)
	return out
}
