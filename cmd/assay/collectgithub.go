package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"net/url"
	"time"

	"assay/collect"
	"assay/internal/github"
	"assay/llm"
)

// openGitHub opens the client for --api; nil without it.
func (a *app) openGitHub(o collectFlags) (*github.Client, error) {
	if !o.api {
		if o.apiURL != "" {
			return nil, errors.New("--api-url: expected --api with it")
		}
		return nil, nil
	}
	dotenv, err := llm.LoadDotenv(".env")
	if err != nil {
		return nil, err
	}
	token := cmp.Or(a.getenv("GITHUB_TOKEN"), dotenv["GITHUB_TOKEN"])
	address := cmp.Or(o.apiURL, a.getenv("GITHUB_GRAPHQL_URL"))
	if isOpen(address) {
		return nil, errors.New("--api-url: expected https, since the token would be sent unencrypted")
	}
	c, err := github.New(github.Options{
		URL: address, Token: llm.NewKey(token), Now: now,
		Backoff: llm.NewBackoff(llm.RetryOptions{Patience: 65 * time.Minute, Rand: rand.NewPCG(rand.Uint64(), rand.Uint64())}),
		Notice:  func(line string) { fmt.Fprintf(a.stderr, "assay: %s\n", line) },
	})
	if err != nil {
		return nil, fmt.Errorf("--api: %w", err)
	}
	return c, nil
}

// isOpen reports whether a URL sends without encryption to another machine.
func isOpen(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() != "localhost" && (err != nil || !ip.IsLoopback())
}

// gather finds and divides a repository's changes, with what GitHub knows of
// it where there is a client. GitHub is asked only about new commits. left says
// that --permissive leaves the repository out.
func (a *app) gather(ctx context.Context, folder *collect.Folder, s collect.Source, issues collect.Issues, hub *github.Client, o collectFlags) (left bool, err error) {
	if hub == nil {
		return false, folder.Gather(ctx, s, issues)
	}
	s.API = hub
	if s.Forge, err = folder.OpenForge(s.Name); err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, s.Forge.Close()) }()
	if !folder.Searched(s) {
		if err := s.Forge.Sync(ctx, hub, o.filter.Since); err != nil {
			return false, unanswered(err)
		}
	}
	if licence := cmp.Or(s.Licence, s.Forge.Licence()); o.permissive && !collect.IsPermissive(licence) {
		a.leftOut(s.Name, licence)
		return true, nil
	}
	return false, unanswered(folder.Gather(ctx, s, issues))
}

func (a *app) leftOut(repo, licence string) {
	fmt.Fprintf(a.stderr, "%s: left out, its licence is not a permissive one (%s)\n", repo, cmp.Or(licence, "not known"))
}

// unanswered gives errors of GitHub that may pass the exit code for them.
func unanswered(err error) error {
	var e *llm.Error
	if !errors.As(err, &e) || !e.Retryable() {
		return err
	}
	return &codedError{exitNotJudged, fmt.Errorf("%w (what GitHub said before is kept: run the same command again to continue)", err)}
}
