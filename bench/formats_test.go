package bench_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

func TestRepos(t *testing.T) {
	for repo, sound := range map[string]bool{
		"acme/widgets": true, "a.b/c_d-e": true, "/srv/mirrors/widgets.git": true,
		"https://git.example.org/acme/widgets.git": true, "ssh://git@git.example.org/w": true,
		"file:///srv/w": true, "git@git.example.org:acme/widgets.git": true,
		"widgets": false, "acme/": false, "acme/..": false, "../widgets": false, "acme/widgets/more": false,
		"-x/y": false, "acme/-y": false, "ssh://-oProxyCommand=x/y": false, "ext::sh -c x@h:p": false,
		"ftp://x/y": false, "git@-oProxyCommand=x:y": false, "acme/wid\ngets": false, "git@host::x": false,
	} {
		in := parse(t, minimal(map[string]any{"repo": repo}))
		require.Equal(t, sound, len(in.Check()) == 0, repo)
	}
}

func TestMultiSWEBenchWithoutItsParts(t *testing.T) {
	bare := func(fields string) (in bench.Instance, err error) {
		err = json.Unmarshal([]byte(`{"org":"a","repo":"b","number":"7","title":"T","body":"B","fix_patch":"x","test_patch":"y"`+fields+`}`), &in)
		return in, err
	}
	in, err := bare(`,"base":{"sha":"0123456"},"lang":"java"`)
	require.NoError(t, err)
	require.Empty(t, in.Check())
	require.Equal(t, "a__b-7", in.ID)
	require.Equal(t, "T\nB", in.ProblemStatement)
	require.Contains(t, in.Provenance.Notes, "pull request")
	for _, tt := range []struct{ name, fields, want string }{
		{"base", `,"base":"main"`, `field "base": expected an object, got "main"`},
		{"sha", `,"base":{"sha":1}`, `field "base.sha": expected a commit id (7 to 40 hex digits), got number 1`},
		{"tests", `,"f2p_tests":[]`, `field "f2p_tests": expected an object, got a list`},
		{"issues", `,"resolved_issues":{}`, `field "resolved_issues": expected a list of objects, got an object`},
		{"issue", `,"resolved_issues":[1]`, `field "resolved_issues[0]": expected an object, got number 1`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := bare(tt.fields)
			require.ErrorContains(t, err, tt.want)
		})
	}
}
