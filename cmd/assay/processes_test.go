package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// lingering starts a process that leaves the runner's session and prints
// that, on the output of the runner's parent, when it sees another runner
// than its own.
const lingering = `import os as _os, subprocess as _sub, sys as _sys
_sub.Popen([_sys.executable, "-c", """
import os, sys, time
own, out = sys.argv[1], open(sys.argv[2], "w")
for _ in range(400):
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = open("/proc/" + pid + "/cmdline").read().split(chr(0))
        except OSError:
            continue
        if pid != own and "pytest" in words:
            print("the first start lives on", file=out, flush=True)
            sys.exit()
    time.sleep(0.02)
""", str(_os.getpid()), "/proc/%d/fd/1" % _os.getppid()], start_new_session=True)
`

// TestNothingLivesOnToTheSecondStart checks that what a submission starts in
// the first invocation of the runner is gone before the second one.
func TestNothingLivesOnToTheSecondStart(t *testing.T) {
	w := newWorld(t)
	_, tree := w.sample(t, victim)
	dir := t.TempDir()
	file := filepath.Join(dir, "predictions.jsonl")
	writeLines(t, file, []bench.Prediction{{InstanceID: victim, Model: "lingering", Task: "bugfix", Patch: prepend(t, tree, initFile, lingering)}})
	code, out := w.assay(t, "eval", "-d", w.paths.Dataset, "-p", file, "-o", filepath.Join(dir, "run"), "-q",
		"--repos", w.paths.Repos, "--executor", w.executor, "--cache-dir", w.cache, "--no-cache")
	require.Equal(t, exitDone, code, out)
	log, err := os.ReadFile(filepath.Join(dir, "run", "logs", "bugfix", victim, "lingering", "submission.log"))
	require.NoError(t, err)
	require.NotContains(t, string(log), "the first start lives on")
	require.Contains(t, string(log), "passed")
}
