package harnesstest

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/harness"
)

// Driver is what the suite judges.
type Driver interface {
	harness.Runner
	harness.Preparer
	// Name returns what Prepare would, without making anything.
	Name(ctx context.Context, recipe harness.Recipe) (string, error)
}

// Options fit the suite to a driver.
type Options struct {
	// Base is the recipe of the environment that all jobs run in. It must
	// have a POSIX sh and the coreutils; with python3 and setsid in it more
	// is tested.
	Base harness.Recipe
	// Leaks lists what the driver has on the machine at this moment that
	// belongs to jobs: containers, processes, mounts, directories; not the
	// environments that it keeps. May be nil.
	Leaks func(t *testing.T) []string
	// Skip gives the reason why a sub-test ("network/loopback") or a whole
	// group ("network") cannot pass on this driver or machine.
	Skip map[string]string
	// Jobs is the number of jobs of the test for leaks; 200 when 0.
	Jobs int
	// Discard removes an environment that the suite prepared, when it is
	// done with it. May be nil.
	Discard func(t *testing.T, name string)
	// Another opens the same driver again, over the same store, as a second
	// process would. May be nil.
	Another func(t *testing.T) Driver
}

// Run runs the suite. Sub-tests run one after the other, as some measure
// time.
func Run(t *testing.T, d Driver, o Options) {
	t.Setenv("ASSAY_TEST_SECRET", secret)
	if o.Jobs == 0 {
		o.Jobs = 200
	}
	s := &suite{Driver: d, o: o, commands: map[string]bool{}}
	s.env = s.prepare(t, o.Base)
	for _, g := range groups() {
		t.Run(g.name, func(t *testing.T) {
			s.skip(t, g.name)
			for _, c := range g.checks {
				t.Run(c.name, func(t *testing.T) {
					s.skip(t, g.name+"/"+c.name)
					c.run(t, s)
				})
			}
		})
	}
}

// secret is in the environment of the harness and must never be seen by a
// job.
const secret = "conformance-secret-5e1f"

type group struct {
	name   string
	checks []check
}

type check struct {
	name string
	run  func(t *testing.T, s *suite)
}

func groups() []group {
	return []group{
		{"files", fileChecks()},
		{"script", scriptChecks()},
		{"output", outputChecks()},
		{"collect", collectChecks()},
		{"tree", treeChecks()},
		{"time", timeChecks()},
		{"stop", stopChecks()},
		{"limits", limitChecks()},
		{"network", networkChecks()},
		{"attach", attachChecks()},
		{"relays", relayChecks()},
		{"isolation", isolationChecks()},
		{"cancel", cancelChecks()},
		{"many", manyChecks()},
		{"prepare", prepareChecks()},
		{"observe", observeChecks()},
	}
}

// suite is the driver under test with what all checks need.
type suite struct {
	Driver
	o        Options
	env      string
	commands map[string]bool // what has found out; checks run one at a time
}

func (s *suite) skip(t *testing.T, name string) {
	if reason, ok := s.o.Skip[name]; ok {
		t.Skip(reason)
	}
	if testing.Short() && waits(name) {
		t.Skip(notShort)
	}
}

// job is a job on the base environment with limits that no honest check
// reaches.
func (s *suite) job(script string) harness.Job {
	return harness.Job{
		Name:        "conformance",
		Environment: s.env,
		Script:      script,
		Limits:      harness.Limits{Time: time.Minute, Memory: 1 << 30, Processes: 256},
	}
}

// run runs a job that the driver must be able to run.
func (s *suite) run(t *testing.T, job harness.Job) harness.Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	res, err := s.Run(ctx, job)
	require.NoError(t, err)
	return res
}

// ok runs a job that must end by itself with code 0, and returns its output.
func (s *suite) ok(t *testing.T, job harness.Job) string {
	t.Helper()
	res := s.run(t, job)
	require.Equal(t, harness.Exited, res.End, "output: %s", text(res))
	require.Zero(t, res.ExitCode, "output: %s", text(res))
	return text(res)
}

// sh is ok for a script alone.
func (s *suite) sh(t *testing.T, lines ...string) string {
	t.Helper()
	return s.ok(t, s.job(script(lines...)))
}

// has reports whether the environment has a command.
func (s *suite) has(t *testing.T, command string) bool {
	t.Helper()
	found, known := s.commands[command]
	if !known {
		res := s.run(t, s.job("command -v "+command+" >/dev/null 2>&1"))
		found = res.End == harness.Exited && res.ExitCode == 0
		s.commands[command] = found
	}
	return found
}

// need skips the check when the environment lacks a command.
func (s *suite) need(t *testing.T, command string) {
	t.Helper()
	if !s.has(t, command) {
		t.Skipf("the base environment has no %s", command)
	}
}

// prepare makes an environment that the driver must be able to make.
func (s *suite) prepare(t *testing.T, r harness.Recipe) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Minute)
	defer cancel()
	name, err := s.Prepare(ctx, r)
	require.NoError(t, err)
	require.NotEmpty(t, name)
	return name
}

// layer is a recipe on top of the base that no earlier run has prepared.
func (s *suite) layer(lines ...string) harness.Recipe {
	return harness.Recipe{
		Name:   "conformance",
		Parent: &s.o.Base,
		Script: script(append([]string{"# " + nonce()}, lines...)...),
		Limits: harness.Limits{Time: time.Minute},
	}
}

// make prepares a recipe for the length of a check.
func (s *suite) make(t *testing.T, r harness.Recipe) string {
	t.Helper()
	name := s.prepare(t, r)
	s.discard(t, name)
	return name
}

func (s *suite) discard(t *testing.T, name string) {
	if s.o.Discard != nil {
		t.Cleanup(func() { s.o.Discard(t, name) })
	}
}

// leaks lists what the driver has left; nothing where it cannot know.
func (s *suite) leaks(t *testing.T) []string {
	if s.o.Leaks == nil {
		return nil
	}
	return s.o.Leaks(t)
}

// clean fails when anything of a job is left.
func (s *suite) clean(t *testing.T) {
	t.Helper()
	require.Empty(t, s.leaks(t), "left behind")
}

func script(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

// text is the output of a job, both parts.
func text(r harness.Result) string { return string(r.Output.Head) + string(r.Output.Tail) }

// nonce is a number that no other call returns. It is used in scripts, to
// distinguish recipes, and as the seconds that a process sleeps, to find it
// again.
func nonce() string { return fmt.Sprint(time.Now().UnixNano()) }
