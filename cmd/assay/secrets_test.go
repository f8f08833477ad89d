package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"assay/engine"
)

// TestPathFlagsAreSecret looks at every flag whose description mentions a
// file or a folder: it is marked as secret, or it is one of those that
// submissions may know.
func TestPathFlagsAreSecret(t *testing.T) {
	// The cache is hidden as a whole; level and tasks are not paths.
	public := []string{"config", "cache-dir", "prices", "prompts", "rules", "level", "tasks"}
	words := []string{"file", "folder", "dataset", "predictions", "samples"}
	seen := 0
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		check := func(f *pflag.Flag) {
			names := slices.ContainsFunc(words, func(w string) bool { return strings.Contains(f.Usage, w) })
			text := strings.HasPrefix(f.Value.Type(), "string")
			if !text || !names || slices.Contains(public, f.Name) {
				return
			}
			seen++
			require.NotEmpty(t, f.Annotations[secretPath], "%s --%s: mark it with secret, or list it as public", cmd.CommandPath(), f.Name)
		}
		cmd.Flags().VisitAll(check)
		cmd.PersistentFlags().VisitAll(check)
		for _, c := range cmd.Commands() {
			walk(c)
		}
	}
	walk((&app{parts: engine.Default()}).root())
	require.Greater(t, seen, 15)
}

// TestSecretsOf: what is marked counts with its endings, one path or several;
// patterns count as the files that they name.
func TestSecretsOf(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.jsonl", "b.jsonl"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	f := pflag.NewFlagSet("x", pflag.ContinueOnError)
	f.String("output", "", "")
	f.String("unset", "", "")
	f.String("open", "", "")
	f.String("dataset", "", "")
	f.StringSlice("predictions", nil, "")
	secret(f, "output", ".build")
	secret(f, "unset")
	secret(f, "dataset")
	secret(f, "predictions")
	require.NoError(t, f.Parse([]string{"--output", "new", "--open", "seen", "--dataset", filepath.Join(dir, "*.jsonl"), "--predictions", "p,q"}))
	got := secretsOf(f)
	for _, want := range []string{"new", "new.build", "p", "q", filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "b.jsonl")} {
		require.Contains(t, got, want)
	}
	require.NotContains(t, got, "seen")
	require.NotContains(t, got, "")
	require.Empty(t, secretsOf(nil))
}
