package tasks

import "assay/bench"

// printedResults is the flag of results that were read from what a test
// command printed.
func printedResults() bench.Flag {
	return bench.Flag{Kind: "printed_results", Detail: "the tests' statuses were read from printed text, which the code under test can print, too"}
}
