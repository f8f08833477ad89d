package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"assay/bench"
	"assay/collect"
	"assay/collect/card"
	"assay/internal/atomicfile"
)

// writeCard writes the card of a collection: card.json and card.md.
func (a *app) writeCard(ctx context.Context, folder *collect.Folder, sources []collect.Source) error {
	instances, err := folder.Instances()
	if err != nil {
		return err
	}
	var failed error
	c, err := card.Make(card.Input{
		Instances: instances, Languages: a.parts.Languages, Canary: folder.Canary(), Stars: folder.Stars(),
		Size: func(inst *bench.Instance) (card.Size, bool) {
			size, ok, err := baseSize(ctx, sources, inst)
			failed = errors.Join(failed, err)
			return size, ok && err == nil
		},
	})
	if err = errors.Join(err, failed); err != nil {
		return fmt.Errorf("writing the card: %w", err)
	}
	data, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := c.WriteText(&text); err != nil {
		return err
	}
	for name, data := range map[string][]byte{"card.json": append(data, '\n'), "card.md": text.Bytes()} {
		if err := atomicfile.Write(filepath.Join(folder.Dir, name), data, atomicfile.Options{Mode: 0o644}); err != nil {
			return err
		}
	}
	return nil
}

// baseSize measures the code of an instance's language at base, where its
// repository is among the sources.
func baseSize(ctx context.Context, sources []collect.Source, inst *bench.Instance) (card.Size, bool, error) {
	for _, s := range sources {
		if s.Name != inst.Repo {
			continue
		}
		l := s.Languages.Named(inst.Language)
		tree, err := s.Repo.Tree(ctx, inst.BaseCommit)
		if err != nil || l == nil {
			return card.Size{}, false, err
		}
		var size card.Size
		for _, p := range tree.Paths() {
			if !l.About().IsCode(p) || !tree.Has(p) {
				continue
			}
			size.Files++
			if e, err := tree.Read(p); err == nil { // else the mirror lacks it
				size.Lines += bytes.Count(e.Data, []byte("\n"))
			}
		}
		return size, true, nil
	}
	return card.Size{}, false, nil
}
