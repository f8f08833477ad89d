package harnesstest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/harness"
)

func attachChecks() []check {
	return []check{
		{"seen", attachSeen},
		{"refused", attachRefused},
	}
}

// attachSeen: a job reads and starts what another environment has in a folder,
// sees nothing else of it, and changes nothing.
func attachSeen(t *testing.T, s *suite) {
	s.need(t, "python3")
	tool := s.make(t, s.layer("mkdir -p /opt/tool/bin", "echo 'echo from the tool' > /opt/tool/bin/run", "chmod +x /opt/tool/bin/run", "ln -s bin/run /opt/tool/link", "echo no > /opt/beside"))
	job := s.job(script(
		"sh /opt/tool/bin/run", "sh /opt/tool/link", "test -e /opt/beside || echo nothing beside", "cat /opt/own",
		"echo changed 2>/dev/null > /opt/tool/bin/run || echo not changed", "rm -rf /opt/tool/bin 2>/dev/null || echo not removed",
		"touch /opt/new && echo the rest can be written",
	))
	job.Environment = s.make(t, s.layer("echo own > /opt/own"))
	job.Attach = []harness.Attachment{{Environment: tool, Dir: "/opt/tool"}}
	want := "from the tool\nfrom the tool\nnothing beside\nown\nnot changed\nnot removed\nthe rest can be written\n"
	for range 2 {
		require.Equal(t, want, s.ok(t, job))
	}
	s.clean(t)
}

// attachRefused: what cannot be attached is an error, and nothing is run.
func attachRefused(t *testing.T, s *suite) {
	s.need(t, "python3")
	for name, a := range map[string]harness.Attachment{
		"no environment": {Dir: "/opt/tool"}, "an unknown environment": {Environment: "unknown", Dir: "/opt/tool"},
		"the root": {Environment: s.env, Dir: "/"}, "a relative path": {Environment: s.env, Dir: "opt/tool"}, "a path with dots": {Environment: s.env, Dir: "/opt/../etc"},
	} {
		job := s.job("true\n")
		job.Attach = []harness.Attachment{a}
		_, err := s.Run(t.Context(), job)
		var infra *harness.InfraError
		require.ErrorAs(t, err, &infra, name)
	}
	s.clean(t)
}
