package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"assay/bench"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version and what it was built from",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(a.stdout, "assay %s (%s, %s/%s)\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}

// version is the module's version, or the revision that it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return "devel-" + s.Value[:min(12, len(s.Value))]
		}
	}
	return "devel"
}

func (a *app) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:       "schema [" + strings.Join(bench.SchemaNames(), "|") + "]",
		Short:     "Print the JSON Schema of a format",
		Args:      cobra.ExactArgs(1),
		ValidArgs: bench.SchemaNames(),
		RunE: func(_ *cobra.Command, args []string) error {
			schema, err := bench.Schema(args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.stdout, "%s\n", strings.TrimSpace(string(schema)))
			return err
		},
	}
}
