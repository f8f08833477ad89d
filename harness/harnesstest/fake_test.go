package harnesstest_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/harness"
	"assay/harness/harnesstest"
)

// TestFakeConforms shows that the simulation keeps the contract where it can,
// and that the suite can be passed.
func TestFakeConforms(t *testing.T) {
	fake := &harnesstest.Fake{}
	const processes, shell, network = "the simulation starts no processes", "the simulation has a small part of the shell only", "the simulation has no network"
	harnesstest.Run(t, fake, harnesstest.Options{
		Base:    harness.Recipe{Name: "base", Base: "simulated"},
		Jobs:    20,
		Another: func(*testing.T) harnesstest.Driver { return fake },
		Skip: map[string]string{
			"script/user-rights":       shell,
			"collect/sparse":           "files of the simulation have no holes",
			"tree/sparse":              "files of the simulation have no holes",
			"tree/hard-links":          shell,
			"time/stubborn":            shell,
			"time/tree":                processes,
			"time/daemon":              processes,
			"limits/processes":         processes,
			"limits/fork-bomb":         processes,
			"limits/disk-many-files":   shell,
			"network":                  network,
			"isolation/host-kept":      "the simulation never touches the machine",
			"isolation/host-processes": processes,
			"isolation/secrets":        processes,
			"prepare/no-network":       network,
			"prepare/secrets":          processes,
		},
	})
}

func TestFakeHandle(t *testing.T) {
	fake := &harnesstest.Fake{Handle: func(_ context.Context, job harness.Job) (harness.Result, error) {
		if job.Script == "fail" {
			return harness.Result{}, errors.New("scripted")
		}
		return harness.Result{End: harness.Exited, ExitCode: len(job.Script)}, nil
	}}
	env, err := fake.Prepare(t.Context(), harness.Recipe{Script: "not run, and no shell: (("})
	require.NoError(t, err)
	res, err := fake.Run(t.Context(), harness.Job{Environment: env, Script: "four"})
	require.NoError(t, err)
	require.Equal(t, 4, res.ExitCode)
	_, err = fake.Run(t.Context(), harness.Job{Script: "fail"})
	require.EqualError(t, err, "scripted")
	require.Len(t, fake.Recipes(), 1)
	require.Equal(t, []harness.Job{{Environment: env, Script: "four"}, {Script: "fail"}}, fake.Jobs())
}

// TestFakeBeyond shows that the simulation refuses what it does not know.
func TestFakeBeyond(t *testing.T) {
	fake := &harnesstest.Fake{}
	env, err := fake.Prepare(t.Context(), harness.Recipe{Base: "simulated"})
	require.NoError(t, err)
	for name, script := range map[string]string{
		"unknown command": "gcc x.c\n",
		"substitution":    "echo `date`\n",
		"subshell":        "(exit 1)\n",
		"pipe":            "echo x | cat\n",
		"glob":            "cat /etc/*\n",
		"open quote":      "echo 'x\n",
		"loop":            "for i in 1 2; do echo $i; done\n",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := fake.Run(t.Context(), harness.Job{Environment: env, Script: script})
			var infra *harness.InfraError
			require.ErrorAs(t, err, &infra)
			require.ErrorContains(t, err, "beyond the simulated shell")
		})
	}
}
