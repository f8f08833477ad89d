package otter

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/methods"
)

func ran(state bench.RunState, tests ...methods.TestRun) methods.Run {
	return methods.Run{State: state, Tests: tests}
}

func TestGroupOf(t *testing.T) {
	asserted := methods.TestRun{ID: "a", Status: bench.Failed, FailsBy: bench.ByAssertion}
	raised := methods.TestRun{ID: "b", Status: bench.Failed, FailsBy: bench.ByException}
	missing := methods.TestRun{ID: "c", Status: bench.Failed, FailsBy: bench.ByMissing}
	fixture := methods.TestRun{ID: "d", Status: bench.Error, FailsBy: bench.ByException}
	passed := methods.TestRun{ID: "e", Status: bench.Passed}
	for name, tt := range map[string]struct {
		run  methods.Run
		want Group
	}{
		"assertion":                    {ran(bench.RunDone, asserted), AssertionFailure},
		"the best counts":              {ran(bench.RunDone, fixture, passed, raised, asserted), AssertionFailure},
		"exception":                    {ran(bench.RunDone, raised, passed), OtherFailure},
		"name missing at run time":     {ran(bench.RunDone, missing), OtherFailure},
		"fixture":                      {ran(bench.RunDone, fixture), Error},
		"exception of a Java test":     {ran(bench.RunDone, methods.TestRun{ID: "a.B$C::go[1]", Status: bench.Error, FailsBy: bench.ByException, Said: "x.Y\n\tat a.B$C.go(B.java:42)"}), OtherFailure},
		"exception before a Java test": {ran(bench.RunDone, methods.TestRun{ID: "a.B::go", Status: bench.Error, FailsBy: bench.ByException, Said: "x.Y\n\tat a.B.setUp(B.java:42)"}), Error},
		"a crash in a C++ test":        {ran(bench.RunCrashed, methods.TestRun{ID: "a.b", Status: bench.Error, FailsBy: bench.ByCrash}), OtherFailure},
		"a crash before it":            {ran(bench.RunCrashed, methods.TestRun{ID: "a.b", Status: bench.Missing, FailsBy: bench.ByCrash}), Error},
		"did not run":                  {ran(bench.RunDone, methods.TestRun{Status: bench.Missing}), Error},
		"not built":                    {ran(bench.RunUnbuilt), Error},
		"not applied":                  {ran(bench.RunUnapplied), Error},
		"hangs":                        {ran(bench.RunTimeout, passed), Error},
		"passes":                       {ran(bench.RunDone, passed), Discarded},
		"passes, suspect":              {ran(bench.RunSuspect, passed), Discarded},
		"fails, suspect":               {ran(bench.RunSuspect, passed, raised), OtherFailure},
		"suspect without tests":        {ran(bench.RunSuspect), Error},
		"skipped":                      {ran(bench.RunDone, methods.TestRun{Status: bench.Skipped}), Discarded},
		"no tests":                     {ran(bench.RunDone), Discarded},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, tt.want, GroupOf(tt.run)) })
	}
}

func TestBest(t *testing.T) {
	for _, tt := range []struct {
		groups []Group
		want   int
	}{
		{nil, -1},
		{[]Group{Discarded, Discarded}, -1},
		{[]Group{Error, OtherFailure, AssertionFailure, AssertionFailure}, 2},
		{[]Group{Error, OtherFailure, OtherFailure}, 1},
		{[]Group{Discarded, Error, Error}, 1},
	} {
		require.Equal(t, tt.want, Best(tt.groups), "%v", tt.groups)
	}
}
