package main

import (
	"assay/badpatch"
	"assay/badpatch/antipattern"
	"assay/badpatch/mutation"
)

// ruleSources are the sources of bad patches that need neither a model nor what
// agents submitted.
func ruleSources() []badpatch.Source {
	return []badpatch.Source{antipattern.Subsets{}, mutation.Operators{}, antipattern.Symptoms{}, antipattern.Undisciplined{}}
}
