package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"assay/harness"
)

func (a *app) cacheCommand() *cobra.Command {
	var keep int64 // MB
	cmd := &cobra.Command{
		Use:   "cache",
		Short: "Show or shrink what is kept between runs: outcomes of jobs",
		Long:  "Shows what the cache of outcomes holds. The environments are listed by assay image.",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return a.showCache() },
	}
	prune := &cobra.Command{
		Use:   "prune",
		Short: "Remove outcomes, those not used for longest first",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return a.pruneCache(keep) },
	}
	prune.Flags().Int64Var(&keep, "keep-mb", 0, "how much to keep, in MB")
	cmd.AddCommand(prune)
	return cmd
}

func (a *app) outcomes() (*harness.Cache, string, error) {
	dir, err := a.cacheDir()
	if err != nil {
		return nil, "", err
	}
	return harness.NewCache(filepath.Join(dir, "outcomes")), dir, nil
}

func (a *app) showCache() error {
	cache, dir, err := a.outcomes()
	if err != nil {
		return err
	}
	entries, err := cache.Entries()
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "folder    %s\noutcomes  %d, %s\n", dir, len(entries), megabytes(total(entries)))
	return nil
}

func (a *app) pruneCache(keep int64) error {
	cache, _, err := a.outcomes()
	if err != nil {
		return err
	}
	gone, err := cache.Prune(keep << 20)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "removed %d outcomes, %s\n", len(gone), megabytes(total(gone)))
	return nil
}

func total(entries []harness.CacheEntry) int64 {
	var n int64
	for _, e := range entries {
		n += e.Bytes
	}
	return n
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/(1<<20)) }
