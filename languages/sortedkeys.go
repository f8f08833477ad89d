package languages

import (
	"maps"
	"slices"
)

// sortedKeys are a map's keys in order. Those of an empty map are an empty list,
// not nil: some are written as JSON.
func sortedKeys[V any](m map[string]V) []string {
	out := slices.AppendSeq(make([]string, 0, len(m)), maps.Keys(m))
	slices.Sort(out)
	return out
}

// sorted is a sorted copy; that of an empty list is nil.
func sorted(in []string) []string { return slices.Sorted(slices.Values(in)) }
