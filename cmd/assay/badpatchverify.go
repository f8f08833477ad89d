package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"assay/badpatch"
	"assay/bench"
	"assay/engine"
	"assay/internal/patch"
	"assay/languages"
)

// verifyFlags are the flags of verify.
type verifyFlags struct {
	dataset  datasetFlags
	executor executorFlags
	repeat   repeatFlags
	json     bool
}

func (a *app) badpatchVerifyCommand() *cobra.Command {
	o := &verifyFlags{}
	cmd := &cobra.Command{
		Use:   "verify -d DATASET",
		Short: "Run a dataset's bad patches and good variants again",
		Long: `Runs every bad patch and good variant of a dataset by the rules of gen: statically, then with
the hidden tests, --runs times. Ends with code 1 when a patch is not what its level says, is
no bad patch at all, or when a good variant does not resolve its instance.

` + exitHelp,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.badpatchVerify(cmd.Context(), *o) },
	}
	o.dataset.add(cmd)
	o.executor.add(cmd)
	o.repeat.add(cmd, badpatch.DefaultOptions().Runs, "runs in which a bad patch must fail")
	cmd.Flags().BoolVar(&o.json, "json", false, "write one JSON record per instance to standard output")
	return cmd
}

func (a *app) badpatchVerify(ctx context.Context, flags verifyFlags) error {
	sel, err := a.selection(ctx, flags.dataset)
	if err != nil {
		return err
	}
	if err := flags.repeat.check(); err != nil {
		return err
	}
	o, err := a.open(ctx, sel, flags.executor)
	if err != nil {
		return err
	}
	defer o.Close()
	found := make([]verification, len(o.entries))
	a.each(ctx, batch{
		workers: flags.repeat.jobs, n: len(o.entries), name: func(i int) string { return o.entries[i].ID },
		do: func(ctx context.Context, i int) string {
			found[i] = verify(ctx, o.Machine.Machine, o.set, o.entries[i], flags.repeat.runs)
			return found[i].text(flags.json)
		},
		statusLine: func(line string) { fmt.Fprint(a.stdout, line) },
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return tally(found, o.set.Partial)
}

// verification is what running an instance's patches again showed.
type verification struct {
	badpatch.Verified
	InstanceID string `json:"instance_id"`
	Error      string `json:"error,omitempty"`
}

func verify(ctx context.Context, m languages.Machine, set *engine.Data, e bench.Entry, runs int) verification {
	v := verification{InstanceID: e.ID}
	inst, err := set.Read(e)
	var bed *languages.Testbed
	var base patch.Tree
	if err == nil {
		bed, err = m.Open(ctx, &inst)
	}
	if err == nil {
		base, _, err = bed.Tree(ctx, languages.Variant{}, goldPaths(&inst)...)
	}
	if err == nil {
		gen := badpatch.Generator{Options: badpatch.Options{Runs: runs}}
		v.Verified, err = gen.Verify(ctx, &inst, base, bed)
	}
	if err != nil {
		v.Error = err.Error()
	}
	return v
}

func (v verification) text(asJSON bool) string {
	if asJSON {
		line, err := json.Marshal(v)
		if err != nil {
			return err.Error() + "\n"
		}
		return string(line) + "\n"
	}
	if v.Error != "" {
		return v.InstanceID + ": " + v.Error + "\n"
	}
	var b strings.Builder
	for _, t := range v.Bad {
		fmt.Fprintf(&b, "%s: bad patch %d (%s): %s", v.InstanceID, t.Index, t.Operator, t.Verdict)
		if t.Cause != "" {
			fmt.Fprintf(&b, ": %s", t.Cause)
		}
		fmt.Fprintf(&b, ", fails %d fail-to-pass and %d pass-to-pass tests in %d runs\n", len(t.F2P), len(t.P2P), t.Runs)
	}
	for _, p := range v.Problems {
		fmt.Fprintf(&b, "%s: MISMATCH: %s\n", v.InstanceID, p)
	}
	return b.String()
}

func tally(found []verification, partial bool) error {
	wrong, unjudged := 0, 0
	for _, v := range found {
		if v.Error != "" {
			unjudged++
		}
		if len(v.Problems) > 0 {
			wrong++
		}
	}
	switch {
	case wrong > 0:
		return &codedError{exitGate, fmt.Errorf("%d of %d instances hold patches that are not what they are said to be", wrong, len(found))}
	case unjudged > 0 || partial:
		return &codedError{exitNotJudged, fmt.Errorf("%d of %d instances could not be verified", unjudged, len(found))}
	}
	return nil
}
