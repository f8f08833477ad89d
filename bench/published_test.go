package bench_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

func TestCreatedAt(t *testing.T) {
	for _, tt := range []struct {
		json, want string
	}{
		{`"2021-03-04T05:06:07Z"`, "2021-03-04T05:06:07Z"},
		{`"2021-03-04T05:06:07.5+02:00"`, "2021-03-04T03:06:07.5Z"},
		{`"2021-03-04T05:06:07"`, "2021-03-04T05:06:07Z"},
		{`"2021-03-04 05:06:07"`, "2021-03-04T05:06:07Z"},
		{`"2021-03-04 05:06:07.089"`, "2021-03-04T05:06:07.089Z"},
		{`"2021-03-04 05:06:07+00:00"`, "2021-03-04T05:06:07Z"},
		{`"2021-03-04 05:06:07 UTC"`, "2021-03-04T05:06:07Z"},
		{`"2021-03-04"`, "2021-03-04T00:00:00Z"},
		{`1614834367000`, "2021-03-04T05:06:07Z"},
		{`1614834367089.0`, "2021-03-04T05:06:07.089Z"},
		{`1614834367`, "2021-03-04T05:06:07Z"},
		{`"1614834367000"`, "2021-03-04T05:06:07Z"},
		{`""`, ""}, {`" "`, ""}, {`null`, ""},
	} {
		in := parse(t, minimal(map[string]any{"created_at": json.RawMessage(tt.json)}))
		require.Equal(t, tt.want, in.CreatedAt, tt.json)
	}
	for _, text := range []string{`"yesterday"`, `{}`, `true`, `"2021-13-04"`, `-5`, `1e30`, `"20210304"`, `"2021-03-04 05:06:07 CEST"`, `2021`} {
		var in bench.Instance
		err := json.Unmarshal(minimal(map[string]any{"created_at": json.RawMessage(text)}), &in)
		require.ErrorContains(t, err, `field "created_at": expected a time (RFC 3339`, text)
	}
}

// TestPublishedVariants reads the forms of fields that are published in
// addition to SWE-bench's own, and keeps what assay has no place for.
func TestPublishedVariants(t *testing.T) {
	tests := bench.TestIDs{"test_w.py::test_a[1, 2]", "test_w.py::test_b"}
	for _, tt := range []struct {
		name   string
		fields map[string]any
		format string
		image  string
		extra  []string
	}{
		{"Lite, Verified", map[string]any{
			"FAIL_TO_PASS": `["test_w.py::test_a[1, 2]", "test_w.py::test_b"]`, "environment_setup_commit": "abc", "difficulty": "<15 min fix", "version": 3.1,
		}, bench.FormatSWEBench, "", []string{"difficulty", "environment_setup_commit"}},
		{"Multimodal", map[string]any{
			"FAIL_TO_PASS": `["test_w.py::test_a[1, 2]", "test_w.py::test_b"]`, "image_assets": `{"problem_statement": []}`,
		}, bench.FormatSWEBench, "", []string{"image_assets"}},
		{"SWE-Gym", map[string]any{"FAIL_TO_PASS": tests, "hints_text": nil}, bench.FormatSWEBench, "", nil},
		{"SWE-bench-Live", map[string]any{
			"FAIL_TO_PASS": tests, "docker_image": "live/acme", "test_cmds": []string{"pytest -rA"}, "log_parser": "pytest", "created_at": "2024-08-01T01:02:03Z",
		}, bench.FormatSWEBenchLive, "live/acme", nil},
		{"SWE-rebench", map[string]any{
			"FAIL_TO_PASS": tests, "PASS_TO_FAIL": []string{}, "docker_image": "rebench/acme", "requirements": "a==1", "environment": "name: e",
			"install_config": map[string]any{"python": "3.9", "test_cmd": "pytest", "pip_packages": nil}, "meta": map[string]any{"llm_score": 1}, "created_at": "2021-03-04 05:06:07",
		}, bench.FormatSWERebench, "rebench/acme", []string{"PASS_TO_FAIL", "environment", "install_config", "meta", "requirements"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := parse(t, minimal(tt.fields))
			require.Empty(t, in.Check())
			require.Equal(t, tests, in.FailToPass)
			require.Equal(t, tt.format, in.Provenance.Format)
			require.Equal(t, tt.image, in.Image)
			var extra []string
			for name := range in.Extra {
				extra = append(extra, name)
			}
			require.ElementsMatch(t, tt.extra, extra)
			require.Equal(t, in, parse(t, write(t, in)))
		})
	}
}

// TestMultiSWEBenchFromParquet reads what a struct of all tests of a file and
// lists in a map's place become.
func TestMultiSWEBenchFromParquet(t *testing.T) {
	var in bench.Instance
	require.NoError(t, json.Unmarshal([]byte(`{"org":"a","repo":"b","number":7,"fix_patch":"x","test_patch":"y","base":{"sha":"0123456"},
		"f2p_tests":{"one":{"fix":"PASS"},"of another record":null},"s2p_tests":{"name":["two"],"fix":["PASS"]},
		"n2p_tests":null,"p2p_tests":{"name":{"fix":"PASS"}},"created_at":null}`), &in))
	require.Equal(t, bench.TestIDs{"one", "two"}, in.FailToPass)
	require.Equal(t, bench.TestIDs{"name"}, in.PassToPass)
	require.Empty(t, in.CreatedAt)
}
