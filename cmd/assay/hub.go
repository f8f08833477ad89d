package main

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay/bench"
	"assay/engine"
	"assay/harness"
	"assay/internal/hub"
)

// hubName reports whether a dataset's name is one of the Hugging Face hub: it
// has the prefix hf:, or the form OWNER/NAME and can't be meant as a path.
func hubName(dataset string) (hub.Name, bool) {
	name, ok := hub.ParseName(dataset)
	if !ok || strings.HasPrefix(dataset, "hf:") {
		return name, ok
	}
	owner, _, _ := strings.Cut(name.Repo, "/")
	_, err := os.Stat(owner)
	file := slices.Contains([]string{".jsonl", ".ndjson", ".json", ".parquet", ".csv"}, filepath.Ext(name.Repo))
	return name, err != nil && !file && len(bench.DatasetPaths(dataset)) == 0
}

// fetchDataset downloads a dataset of the hub into the cache, and lets the
// selection name its folder there.
func (a *app) fetchDataset(ctx context.Context, name hub.Name, s *engine.Selection) error {
	cache, err := a.cacheDir()
	if err != nil {
		return err
	}
	client := hub.Client{
		Endpoint: strings.TrimRight(cmp.Or(a.getenv("HF_ENDPOINT"), "https://huggingface.co"), "/"),
		Token:    a.getenv("HF_TOKEN"),
		Dir:      filepath.Join(cache, "datasets"),
		HTTP:     &http.Client{Transport: hubTransport()},
		Sleep:    harness.Sleep,
		Tell:     func(line string) { fmt.Fprintf(a.stderr, "assay: %s\n", line) },
	}
	got, err := client.Fetch(ctx, name, func(paths []string) ([]string, error) {
		return bench.ChooseFiles(paths, name.Config, name.Split)
	})
	if err != nil {
		return err
	}
	s.Path, s.Revision = got.Folder, got.Name.String()
	fmt.Fprintf(a.stderr, "assay: the dataset is %s, in %s\n", s.Revision, s.Path)
	return nil
}

// hubTransport gives up on a server that does not answer.
func hubTransport() http.RoundTripper {
	t, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return http.DefaultTransport
	}
	t = t.Clone()
	t.ResponseHeaderTimeout = time.Minute
	return t
}
