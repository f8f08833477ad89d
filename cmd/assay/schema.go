package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"assay/bench"
)

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
