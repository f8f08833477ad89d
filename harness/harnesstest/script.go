package harnesstest

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/harness"
)

func scriptChecks() []check {
	return []check{
		{"exit-codes", scriptExitCodes},
		{"killed", scriptKilled},
		{"goes-on", scriptGoesOn},
		{"workdir", scriptWorkdir},
		{"env", scriptEnv},
		{"user", scriptUser},
		{"user-rights", scriptUserRights},
		{"stdin", scriptStdin},
		{"long", scriptLong},
		{"timings", scriptTimings},
		{"unknown-environment", scriptUnknownEnvironment},
	}
}

func scriptExitCodes(t *testing.T, s *suite) {
	for script, code := range map[string]int{"true\n": 0, "exit 7\n": 7, "exit 255\n": 255, "no-such-command-here\n": 127} {
		res := s.run(t, s.job(script))
		require.Equal(t, harness.Exited, res.End, script)
		require.Equal(t, code, res.ExitCode, script)
	}
}

// scriptKilled: a signal that no limit sent is an exit like any other.
func scriptKilled(t *testing.T, s *suite) {
	res := s.run(t, s.job("echo before\nkill -9 $$\necho after\n"))
	require.Equal(t, harness.Exited, res.End)
	require.Equal(t, 128+9, res.ExitCode)
	require.Equal(t, "before\n", text(res))
}

// scriptGoesOn: unlike a recipe's, a job's script is not run with -e.
func scriptGoesOn(t *testing.T, s *suite) {
	require.Equal(t, "still here\n", s.sh(t, "false", "echo still here"))
}

func scriptWorkdir(t *testing.T, s *suite) {
	require.Equal(t, "/\n", s.sh(t, "pwd"))
	job := s.job("pwd\ncat f\n")
	job.Workdir = "/w/some where"
	job.Files = []harness.File{{Path: "/w/some where/f", Data: []byte("here\n")}}
	require.Equal(t, "/w/some where\nhere\n", s.ok(t, job))
}

func scriptEnv(t *testing.T, s *suite) {
	job := s.job(script(`echo "[$PLAIN]"`, `echo "[$SPACE]"`, `echo "[$QUOTE]"`, `echo "[$MULTI]"`, `echo "[$EMPTY]"`, `echo "[$TWICE]"`,
		`test -n "$PATH" && echo path`))
	job.Env = []string{"PLAIN=a=b", "SPACE= a  b ", `QUOTE='"$(x)\`, "MULTI=a\nü", "EMPTY=", "TWICE=first", "TWICE=last"}
	require.Equal(t, "[a=b]\n[ a  b ]\n['\"$(x)\\]\n[a\nü]\n[]\n[last]\npath\n", s.ok(t, job))
}

func scriptUser(t *testing.T, s *suite) {
	for user, uid := range map[string]string{"": "0", "root": "0", "nobody": "65534", "4321": "4321"} {
		job := s.job("id -u\n")
		job.User = user
		require.Equal(t, uid+"\n", s.ok(t, job), "user %q", user)
	}
}

// scriptUserRights: another user has that user's rights only, in /tmp too.
func scriptUserRights(t *testing.T, s *suite) {
	job := s.job(script(
		"cat /w/all",
		"cat /w/own 2>/dev/null || echo refused",
		"(echo x > /w/new) 2>/dev/null || echo read-only",
		"echo mine > /tmp/f && cat /tmp/f"))
	job.User = "nobody"
	job.Files = []harness.File{{Path: "/w/all", Data: []byte("open\n")}, {Path: "/w/own", Data: []byte("secret\n"), Mode: 0o600}}
	require.Equal(t, "open\nrefused\nread-only\nmine\n", s.ok(t, job))
}

// scriptStdin: standard input is empty, not the harness's and not open.
func scriptStdin(t *testing.T, s *suite) {
	job := s.job("cat\necho end\n")
	job.Limits.Time = 10 * time.Second
	require.Equal(t, "end\n", s.ok(t, job))
}

// scriptLong: a script may be longer than one argument of a program (128
// KiB on Linux).
func scriptLong(t *testing.T, s *suite) {
	require.Equal(t, "at the end\n", s.sh(t, strings.Repeat("# "+strings.Repeat("x", 98)+"\n", 4000), "echo at the end"))
}

func scriptTimings(t *testing.T, s *suite) {
	began := time.Now()
	res := s.run(t, s.job("sleep 1\n"))
	all := time.Since(began)
	require.GreaterOrEqual(t, res.Timings.Run, 950*time.Millisecond)
	tm := res.Timings
	require.LessOrEqual(t, tm.Create+tm.Start+tm.Run+tm.Collect+tm.Remove, all+10*time.Millisecond)
	require.False(t, res.Cached)
}

func scriptUnknownEnvironment(t *testing.T, s *suite) {
	job := s.job("true\n")
	job.Environment = "no-such-environment-" + nonce()
	_, err := s.Run(t.Context(), job)
	var infra *harness.InfraError
	require.True(t, errors.As(err, &infra), "want an *InfraError, got %v", err)
	require.False(t, infra.Retryable, "an environment that does not exist will not be there the next time")
}
