package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"assay/badpatch"
	"assay/badpatch/attempt"
	"assay/badpatch/measure"
	"assay/badpatch/modelsource"
	"assay/badpatch/rewrite"
	"assay/bench"
	"assay/engine"
	"assay/internal/patch"
	"assay/languages"
	"assay/tasks"
)

// worked is what the journal keeps of an instance: as it is written, and all
// that is known.
type worked struct {
	Instance bench.Instance `json:"instance"`
	Record   measure.Record `json:"record"`
}

// badpatchGen is one call of gen.
type badpatchGen struct {
	options  badpatchOptions
	machine  languages.Machine
	attempts []bench.Prediction
	suites   []bench.Prediction
	model    *badpatchModel // nil: none
}

func (a *app) badpatchGen(ctx context.Context, flags badpatchFlags) error {
	sel, err := a.selection(ctx, flags.dataset)
	if err != nil {
		return err
	}
	if err := checkOutput(sel, flags.output); err != nil {
		return err
	}
	if err := flags.check(); err != nil {
		return err
	}
	g := &badpatchGen{options: flags.options}
	if g.attempts, err = readAllPredictions(ctx, flags.attempts); err != nil {
		return err
	}
	if g.suites, err = readAllPredictions(ctx, flags.suites); err != nil {
		return err
	}
	folder := flags.output + ".badpatch"
	o, err := a.open(ctx, sel, flags.executor)
	if err != nil {
		return err
	}
	defer o.Close()
	if g.model, err = a.openBadpatchModel(flags.model, folder); err != nil {
		return err
	}
	defer g.model.Close()
	g.machine = o.Machine.Machine
	j, err := engine.OpenJournal[worked](filepath.Join(folder, "made.jsonl"))
	if err != nil {
		return err
	}
	defer j.Close()
	w := &engine.Resumable[worked]{Data: o.set, Entries: o.entries, Journal: j, Settings: g.settings(), Work: g.make}
	if err := workOn(ctx, a, w, flags.jobs); err != nil {
		return overBudget(fmt.Errorf("stopped; run the same command again to resume: %w", err))
	}
	fmt.Fprint(a.stderr, g.model.report())
	return a.finishBadpatches(w, flags)
}

func readAllPredictions(ctx context.Context, files []string) ([]bench.Prediction, error) {
	var all []bench.Prediction
	for _, file := range files {
		found, err := attempt.Read(ctx, file)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// settings names all that decides what is made of an instance.
func (g *badpatchGen) settings() string {
	text, err := json.Marshal([]any{g.options, g.attempts, g.suites, g.model.key()})
	if err != nil {
		text = []byte(err.Error()) // plain data
	}
	return "assay badpatch 7\x00" + tasks.Rules + "\x00" + string(text) + g.machine.Limits.String()
}

// make makes the bad patches of one instance. Errors of the instance are
// kept; failures of the machine are not.
func (g *badpatchGen) make(ctx context.Context, inst bench.Instance) (worked, string, bool, error) {
	made, err := g.generate(ctx, &inst)
	if ctx.Err() != nil {
		return worked{}, "", false, ctx.Err()
	}
	var fatal *modelsource.FatalError
	if errors.As(err, &fatal) {
		return worked{}, "", false, err
	}
	rec := measure.RecordOf(&inst, made)
	var unsound *badpatch.UnsoundError
	switch {
	case errors.As(err, &unsound):
		rec.Problem = err.Error()
	case err != nil:
		rec.Trouble = err.Error()
	default:
		badpatch.Fill(&inst, made, g.options.KeepPublished)
	}
	return worked{inst, rec}, rec.String(), rec.Trouble == "", nil
}

func (g *badpatchGen) generate(ctx context.Context, inst *bench.Instance) (badpatch.Made, error) {
	if inst.TestPatch == "" || len(inst.FailToPass) == 0 {
		return badpatch.Made{}, &badpatch.UnsoundError{Reason: "it has no fail-to-pass tests to show what is wrong"}
	}
	bed, err := g.machine.Open(ctx, inst)
	if err != nil {
		return badpatch.Made{}, err
	}
	base, _, err := bed.Tree(ctx, languages.Variant{}, append(goldPaths(inst), g.attempted(inst)...)...)
	if err != nil {
		return badpatch.Made{}, err
	}
	gen := badpatch.Generator{Sources: g.sources(), Suites: attempt.Suites(inst, g.suites), Rewrites: rewrite.Variants, Options: g.options.Options}
	if g.model != nil {
		gen.Labels = g.model.asker
	}
	return gen.Generate(ctx, inst, base, bed)
}

// attempted are the paths that an instance's attempts touch.
func (g *badpatchGen) attempted(inst *bench.Instance) []string {
	var out []string
	for _, p := range g.attempts {
		if bench.NormaliseID(p.InstanceID) == bench.NormaliseID(inst.ID) {
			out = append(out, patch.PathsIn(p.Patch)...)
		}
	}
	return out
}

func (g *badpatchGen) sources() []badpatch.Source {
	var out []badpatch.Source
	wanted := func(name string) bool { return slices.Contains(g.options.Sources, name) }
	for _, s := range ruleSources() {
		if wanted(s.Name()) {
			out = append(out, s)
		}
	}
	if wanted("attempt") {
		out = append(out, attempt.Source{Predictions: g.attempts})
	}
	if wanted("llm") {
		out = append(out, g.model.sources()...)
	}
	return out
}

// finishBadpatches writes the dataset, the files next to it, and the figures.
func (a *app) finishBadpatches(w *engine.Resumable[worked], flags badpatchFlags) error {
	o, out := flags.options, flags.output
	var dataset, reserve, survivors, records bytes.Buffer
	figures := measure.NewFigures(measure.FigureOptions{N: o.N, Suites: measure.DefaultSuites(o.Seed), Splits: 10})
	err := w.Each(func(made worked) error {
		figures.Add(made.Record)
		return errors.Join(
			bench.WriteInstance(&dataset, made.Instance),
			json.NewEncoder(&records).Encode(made.Record),
			writeAside(&reserve, made.Record.InstanceID, made.Record.Kept()),
			writeAside(&survivors, made.Record.InstanceID, badpatch.RankSurvivors(made.Record.Trials)),
		)
	})
	if err != nil {
		return err
	}
	numbers, err := json.MarshalIndent(figures, "", "  ")
	if err != nil {
		return err
	}
	folder := out + ".badpatch"
	err = errors.Join(
		bench.WriteAtomic(out, dataset.Bytes()),
		bench.WriteAtomic(filepath.Join(folder, "records.jsonl"), records.Bytes()),
		bench.WriteAtomic(filepath.Join(folder, "reserve.jsonl"), reserve.Bytes()),
		bench.WriteAtomic(filepath.Join(folder, "survivors.jsonl"), survivors.Bytes()),
		bench.WriteAtomic(filepath.Join(folder, "figures.json"), append(numbers, '\n')),
	)
	if err != nil {
		return err
	}
	if flags.json {
		fmt.Fprintf(a.stdout, "%s\n", numbers)
		return incomplete(w)
	}
	if err := figures.Text(a.stdout, flags.byOperator); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "dataset: %s\n", out)
	return incomplete(w)
}

// writeAside writes trials that stay out of the dataset, as bad patches.
func writeAside(buf *bytes.Buffer, id string, trials []badpatch.Trial) error {
	if len(trials) == 0 {
		return nil
	}
	patches := make([]bench.BadPatch, len(trials))
	for i, t := range trials {
		patches[i] = badpatch.BadPatch(t, "")
		patches[i].Index = i
	}
	line := struct {
		InstanceID string           `json:"instance_id"`
		BadPatches []bench.BadPatch `json:"bad_patches"`
	}{id, patches}
	return json.NewEncoder(buf).Encode(line)
}
