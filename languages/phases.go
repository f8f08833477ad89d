package languages

import "assay/harness"

// The phases that observers receive, in addition to those of the drivers.
const (
	Cloning harness.Phase = "cloning" // finds the repository, or clones it
	Testing harness.Phase = "testing" // runs tests on a variant
	Linting harness.Phase = "linting" // runs a tool on a variant
)
