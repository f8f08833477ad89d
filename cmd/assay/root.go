package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

const exitHelp = `Exit codes:
  0 done; 1 a gate was missed; 2 usage, configuration or input; 3 done, but some
  could not be judged; 4 budget spent; 5 no executor; 130 interrupted

Every flag can also be set by ASSAY_<FLAG> in the environment (ASSAY_EXECUTOR=local)
and in assay.yaml ("executor: local"); the command line counts first.`

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "assay",
		Short:         "Builds and judges tasks for coding agents",
		Long:          "assay builds tasks for coding agents - fixing bugs, writing tests, answering\nreviews, fixing style - and judges what they submit by running hidden tests and\nlinters in a fresh sandbox, in Python, Java and C++.\n\n" + exitHelp,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.PersistentFlags().StringVar(&a.config, "config", "", "settings file (default: assay.yaml, if there)")
	root.PersistentFlags().StringVar(&a.cache, "cache-dir", "", "where environments, clones and outcomes are kept (default: the user's cache folder)")
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		a.flags = cmd.Flags()
		return a.applySettings(cmd)
	}
	root.AddCommand(
		a.quickstartCommand(), a.doctorCommand(), a.badpatchCommand(), a.buildCommand(), a.runCommand(), a.agentsCommand(), a.trajectoriesCommand(), a.evalCommand(), a.filterCommand(), a.validateCommand(), a.envCommand(),
		a.collectCommand(), a.exportCommand(),
		a.imageCommand(), a.cacheCommand(), a.schemaCommand(), a.versionCommand(),
	)
	return root
}

// cacheDir is the folder that --cache-dir names, or the user's.
func (a *app) cacheDir() (string, error) {
	dir := a.cache
	if dir == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("finding the cache folder (set --cache-dir): %w", err)
		}
		dir = filepath.Join(base, "assay")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return dir, os.MkdirAll(dir, 0o755)
}
