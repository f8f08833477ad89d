package hub

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Client fetches datasets. It may be used by several goroutines, and several
// processes may share its folder.
type Client struct {
	Endpoint string // as in https://huggingface.co
	Token    string // sent to the endpoint alone; may be empty
	Dir      string // where files are kept
	HTTP     *http.Client
	Sleep    func(context.Context, time.Duration) error // waits before another try
	Tell     func(string)                               // takes a line for each download
}

// Snapshot is a dataset on this machine.
type Snapshot struct {
	Name   Name   // with the commit as its revision
	Folder string // holds the chosen files, and no others
}

// file is an entry of a revision's tree.
type file struct {
	Type string `json:"type"`
	Path string `json:"path"`
	Size int64  `json:"size"`
	LFS  *struct {
		SHA256 string `json:"oid"`
	} `json:"lfs,omitempty"`
}

// Fetch downloads those files of a revision that choose selects by their
// paths. Files that are there are not downloaded again: a commit whose files
// are all there needs no network. For a revision without data files, the
// hub's own conversion to Parquet is used.
func (c *Client) Fetch(ctx context.Context, n Name, choose func(paths []string) ([]string, error)) (Snapshot, error) {
	s, err := c.fetch(ctx, n, choose)
	if err != nil {
		return s, fmt.Errorf("fetching %s: %w%s", n, err, c.hint(n, err))
	}
	return s, nil
}

func (c *Client) fetch(ctx context.Context, n Name, choose func([]string) ([]string, error)) (Snapshot, error) {
	commit, files, err := c.list(ctx, n.Repo, n.Revision)
	if err == nil && !hasData(files) && n.Revision == "" {
		commit, files, err = c.list(ctx, n.Repo, "refs/convert/parquet")
	}
	if err != nil {
		return Snapshot{}, err
	}
	byPath := map[string]file{}
	var paths []string
	for _, f := range files {
		if filepath.IsLocal(filepath.FromSlash(f.Path)) {
			byPath[f.Path] = f
			paths = append(paths, f.Path)
		}
	}
	chosen, err := choose(paths)
	if err != nil {
		return Snapshot{}, err
	}
	n.Revision = commit
	sum := sha256.Sum256([]byte(strings.Join(chosen, "\n")))
	s := Snapshot{Name: n, Folder: filepath.Join(c.repoDir(n.Repo), commit, hex.EncodeToString(sum[:6]))}
	for _, path := range chosen {
		if err := c.download(ctx, s, byPath[path]); err != nil {
			return s, fmt.Errorf("%s: %w", path, err)
		}
	}
	return s, nil
}

func hasData(files []file) bool {
	for _, f := range files {
		if ext := filepath.Ext(f.Path); ext == ".parquet" || ext == ".jsonl" {
			return true
		}
	}
	return false
}

func (c *Client) repoDir(repo string) string {
	return filepath.Join(c.Dir, strings.ReplaceAll(repo, "/", "__"))
}

// list returns a revision's commit and files.
func (c *Client) list(ctx context.Context, repo, revision string) (string, []file, error) {
	if revision == "" {
		revision = "main"
	}
	if isCommit(revision) {
		if files, err := c.kept(repo, revision); err == nil {
			return revision, files, nil
		}
	}
	var info struct {
		SHA string `json:"sha"`
	}
	if _, err := c.get(ctx, c.api(repo, "revision", revision), &info); err != nil {
		return "", nil, err
	}
	if !isCommit(info.SHA) {
		return "", nil, fmt.Errorf("the hub gave no commit of revision %s", revision)
	}
	if files, err := c.kept(repo, info.SHA); err == nil {
		return info.SHA, files, nil
	}
	var files []file
	for next := c.api(repo, "tree", info.SHA) + "?recursive=true"; next != ""; {
		var page []file
		var err error
		if next, err = c.get(ctx, next, &page); err != nil {
			return "", nil, err
		}
		for _, f := range page {
			if f.Type == "file" {
				files = append(files, f)
			}
		}
	}
	return info.SHA, files, c.keep(repo, info.SHA, files)
}

func (c *Client) api(repo, what, revision string) string {
	return c.Endpoint + "/api/datasets/" + repo + "/" + what + "/" + url.PathEscape(revision)
}

// kept returns the files of a commit, as they were listed before.
func (c *Client) kept(repo, commit string) ([]file, error) {
	text, err := os.ReadFile(filepath.Join(c.repoDir(repo), commit, "files.json"))
	if err != nil {
		return nil, err
	}
	var files []file
	return files, json.Unmarshal(text, &files)
}

func (c *Client) keep(repo, commit string, files []file) error {
	text, err := json.Marshal(files)
	if err != nil {
		return err
	}
	dir := filepath.Join(c.repoDir(repo), commit)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, "files-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(text)
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), filepath.Join(dir, "files.json"))
	}
	return err
}

// hint names the commits that are here, where the hub can't be reached.
func (c *Client) hint(n Name, err error) string {
	var offline *url.Error
	if !errors.As(err, &offline) {
		return ""
	}
	found, _ := filepath.Glob(filepath.Join(c.repoDir(n.Repo), "*", "files.json"))
	if len(found) == 0 {
		return ""
	}
	n.Revision = filepath.Base(filepath.Dir(found[len(found)-1]))
	return fmt.Sprintf(" (the cache holds a commit of it: %s)", n)
}
