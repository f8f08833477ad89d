package main

import (
	"os"
	"testing"

	"assay/bench"
	"assay/languages"
)

// mostlyInPython skips what builds a sample of Java or C++ many times over,
// which takes minutes, and differs from Python in no code of the command.
func mostlyInPython(t *testing.T, inst bench.Instance) {
	t.Helper()
	if inst.Language != languages.Python && os.Getenv("ASSAY_SAMPLES_FULL") != "1" {
		t.Skip("it takes minutes: ASSAY_SAMPLES_FULL=1 runs it in Java and C++, too")
	}
}
