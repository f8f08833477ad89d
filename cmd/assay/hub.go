package main

import (
	"cmp"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/bench"
	"assay/harness"
	"assay/internal/hub"
)

// hubName reports whether a dataset's name is one of the Hugging Face hub: it
// says so, or has the form OWNER/NAME and can't be meant as a path.
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

// fetchDataset brings a dataset of the hub to the cache, and lets the
// selection name its folder there.
func (a *app) fetchDataset(cmd *cobra.Command, name hub.Name, s *selection) error {
	cache, err := a.cacheDir(cmd)
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
	got, err := client.Fetch(cmd.Context(), name, func(paths []string) ([]string, error) {
		return bench.ChooseFiles(paths, name.Config, name.Split)
	})
	if err != nil {
		return err
	}
	s.dataset, s.revision = got.Folder, got.Name.String()
	fmt.Fprintf(a.stderr, "assay: the dataset is %s, in %s\n", s.revision, s.dataset)
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
