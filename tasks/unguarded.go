package tasks

import (
	"strings"

	"assay/bench"
)

// FlagUnguarded marks runs of tests without nonce tests, in which a runner
// that was tampered with would not be noticed.
const FlagUnguarded = "no_nonce"

// unguarded is the flag of a plan's runs without nonce tests, in the order of
// the plan; none where every run had them.
func unguarded(plan Plan, seen Outcomes) []bench.Flag {
	var names []string
	for _, r := range plan.Runs {
		if o, ok := seen[r.Name]; ok && o.Unguarded {
			names = append(names, r.Name)
		}
	}
	if names == nil {
		return nil
	}
	return []bench.Flag{{Kind: FlagUnguarded, Detail: "no nonce tests ran with: " + strings.Join(names, ", ")}}
}
