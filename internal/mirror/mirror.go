// Package mirror finds repositories on this machine, or clones them once, and
// reads them at a commit: single files for applying patches, and whole trees
// as archives whose history is cut to one commit, so that the fix cannot be
// read from it. It runs the git command; it knows nothing of instances.
package mirror

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Store looks for repositories in Dir first, then in Cache, where it clones
// what it does not find. It is safe for concurrent use.
type Store struct {
	// Dir is a folder of local mirrors, bare or not, found as owner/name,
	// owner__name or owner+name, case ignored, with or without .git, or a
	// folder of that name that holds one repository. It may be empty.
	Dir string
	// Cache is where clones go.
	Cache string

	mu    sync.Mutex
	locks map[string]*sync.Mutex // by repository
	repos map[string]*Repo       // by repository and commit
	// readers are shared by all commits of a repository.
	readers map[string]*reader // by git directory
}

// Repo is a repository on this machine.
type Repo struct {
	gitDir  string
	objects *reader
	scratch string // where trees are unpacked temporarily; "" is the system's place
}

// NotFoundError says that neither a local mirror nor a remote has the repository or
// the commit.
type NotFoundError struct {
	Repo, Commit string
	Err          error
}

func (e *NotFoundError) Error() string {
	if e.Commit != "" {
		return fmt.Sprintf("repository %s has no commit %s: %v", e.Repo, e.Commit, e.Err)
	}
	return fmt.Sprintf("repository %s: %v", e.Repo, e.Err)
}

func (e *NotFoundError) Unwrap() error { return e.Err }

// Open returns the repository, which holds the commit. name is owner/name (at
// GitHub, where no mirror is found) or a clone URL.
func (s *Store) Open(ctx context.Context, name, commit string) (*Repo, error) {
	lock := s.lock(name)
	lock.Lock()
	defer lock.Unlock()
	s.mu.Lock()
	r, ok := s.repos[name+"@"+commit]
	s.mu.Unlock()
	if ok {
		return r, nil
	}
	r, err := s.open(ctx, name, commit)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.repos[name+"@"+commit] = r
	return r, nil
}

// lock is held while one repository is cloned; others need not wait for it.
func (s *Store) lock(name string) *sync.Mutex {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.repos == nil {
		s.repos, s.locks = map[string]*Repo{}, map[string]*sync.Mutex{}
	}
	if s.locks[name] == nil {
		s.locks[name] = &sync.Mutex{}
	}
	return s.locks[name]
}

// Sweep removes what killed processes left half-made in the cache: anything
// older than a day.
func (s *Store) Sweep(now time.Time) error {
	entries, err := os.ReadDir(s.Cache)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("sweeping %s: %w", s.Cache, err)
	}
	for _, e := range entries {
		info, err := e.Info()
		old := err == nil && now.Sub(info.ModTime()) > 24*time.Hour
		if old && (strings.HasPrefix(e.Name(), ".clone-") || strings.HasPrefix(e.Name(), ".source-")) {
			if err := os.RemoveAll(filepath.Join(s.Cache, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Store) open(ctx context.Context, name, commit string) (*Repo, error) {
	if s.Dir != "" {
		if dir, ok := Find(s.Dir, name); ok {
			r := s.repo(dir)
			if err := r.has(ctx, commit); err != nil {
				return nil, &NotFoundError{Repo: dir, Commit: commit, Err: err}
			}
			return r, nil
		}
	}
	r, err := s.clone(ctx, name, commit)
	if err != nil {
		return nil, &NotFoundError{Repo: name, Err: err}
	}
	if err := r.has(ctx, commit); err != nil {
		return nil, &NotFoundError{Repo: name, Commit: commit, Err: err}
	}
	return r, nil
}

// clone makes or refreshes the cached bare clone. Another process that clones
// the same repository is harmless: each works in its own folder and the first
// rename wins.
func (s *Store) clone(ctx context.Context, name, commit string) (*Repo, error) {
	dir, url := s.cloned(name)
	r := s.repo(dir)
	if _, err := os.Stat(dir); err == nil {
		if r.has(ctx, commit) == nil {
			return r, nil
		}
		_, err := git(ctx, "", "--git-dir", dir, "fetch", "--quiet", "origin", "+refs/*:refs/*")
		return r, err
	}
	if err := os.MkdirAll(s.Cache, 0o755); err != nil {
		return nil, err
	}
	tmp, err := os.MkdirTemp(s.Cache, ".clone-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	if _, err := git(ctx, "", "clone", "--quiet", "--mirror", url, tmp); err != nil {
		return nil, err
	}
	if err := os.Rename(tmp, dir); err != nil && !errors.Is(err, os.ErrExist) {
		if _, statErr := os.Stat(dir); statErr != nil {
			return nil, err
		}
	}
	return r, nil
}

// cloned is where the cached clone of a repository is, and where it is from.
func (s *Store) cloned(name string) (dir, url string) {
	url = name
	if !strings.Contains(name, "://") && !filepath.IsAbs(name) {
		url = "https://github.com/" + name
	}
	return filepath.Join(s.Cache, strings.NewReplacer("/", "__", ":", "_").Replace(name)+".git"), url
}

// repo is the repository in a git directory.
func (s *Store) repo(gitDir string) *Repo {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.readers == nil {
		s.readers = map[string]*reader{}
	}
	if s.readers[gitDir] == nil {
		s.readers[gitDir] = &reader{gitDir: gitDir, keep: keepReader}
	}
	return &Repo{gitDir: gitDir, objects: s.readers[gitDir], scratch: s.scratch()}
}

// scratch is the cache, so that what is left there is found again.
func (s *Store) scratch() string {
	if s.Cache == "" || os.MkdirAll(s.Cache, 0o755) != nil {
		return ""
	}
	return s.Cache
}

func (r *Repo) has(ctx context.Context, commit string) error {
	_, _, err := r.objects.read(ctx, commit+"^{commit}")
	return err
}

// Resolve returns the full id of the commit.
func (r *Repo) Resolve(ctx context.Context, commit string) (string, error) {
	out, err := r.git(ctx, "rev-parse", "--verify", commit+"^{commit}")
	return strings.TrimSpace(string(out)), err
}

func (r *Repo) git(ctx context.Context, args ...string) ([]byte, error) {
	return git(ctx, "", append([]string{"--git-dir", r.gitDir}, args...)...)
}
