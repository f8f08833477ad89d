package main

import (
	"path/filepath"

	"github.com/spf13/pflag"

	"assay/bench"
)

// secretPath is the annotation of flags whose values are paths that
// submissions must not see. Its values are the endings of the paths: "" for
// the path itself, ".build" for what is kept at PATH.build.
const secretPath = "assay_secret_path"

// secret marks a flag, where it is declared, as one that names files with
// hidden tests, gold patches, predictions or verdicts. more are endings of
// paths in addition to the flag's own.
func secret(f *pflag.FlagSet, name string, more ...string) {
	_ = f.SetAnnotation(name, secretPath, append([]string{""}, more...)) // a test looks for flags without it
}

// secretsOf are the paths that a command's flags mark as secret; f may be nil.
func secretsOf(f *pflag.FlagSet) []string {
	if f == nil {
		return nil
	}
	var out []string
	f.VisitAll(func(flag *pflag.Flag) {
		for _, path := range secretValues(flag) {
			out = append(out, bench.DatasetPaths(path)...)
			for _, ending := range flag.Annotations[secretPath] {
				out = append(out, path+ending)
			}
		}
	})
	return out
}

// secretValues are the paths in a flag; none in one that is not marked.
func secretValues(flag *pflag.Flag) []string {
	if flag.Annotations[secretPath] == nil {
		return nil
	}
	if list, ok := flag.Value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	if path := flag.Value.String(); path != "" {
		return []string{path}
	}
	return nil
}

// absolute makes paths absolute; "" is left out.
func absolute(paths []string) []string {
	var out []string
	for _, p := range paths {
		if p == "" {
			continue
		}
		if abs, err := filepath.Abs(p); err == nil {
			out = append(out, abs)
		}
	}
	return out
}
