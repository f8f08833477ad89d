package bench_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// predictions indexes a file and reads its valid records.
func predictions(t *testing.T, path string) ([]bench.PredictionEntry, []bench.Prediction, error) {
	p, err := bench.OpenPredictions(path)
	require.NoError(t, err)
	defer p.Close()
	entries, problems := p.Index(t.Context())
	var got []bench.Prediction
	for _, e := range entries {
		one, err := p.Read(e)
		require.NoError(t, err)
		require.Equal(t, e.InstanceID, one.InstanceID)
		require.Equal(t, e.Model, one.Model)
		got = append(got, one)
	}
	return entries, got, problems
}

func TestPredictionForms(t *testing.T) {
	one := func(id, model, patch string) []bench.Prediction {
		return []bench.Prediction{{InstanceID: id, Model: model, Patch: patch}}
	}
	for _, tt := range []struct {
		name, file, content string
		want                []bench.Prediction
	}{
		{"SWE-bench", "p.jsonl", `{"instance_id":"a__b-1","model_name_or_path":"m","model_patch":"x\n","full_output":"y"}`, one("a__b-1", "m", "x\n")},
		{"null patch", "p.jsonl", `{"instance_id":"a__b-1","model_name_or_path":"m","model_patch":null}`, one("a__b-1", "m", "")},
		{"ours", "p.jsonl", `{"instance_id":"a__b-1","model_name_or_path":"m","model_patch":"x","task":"testgen","cost_usd":0.25,"trajectory":"t.json"}`,
			[]bench.Prediction{{InstanceID: "a__b-1", Model: "m", Patch: "x", Task: "testgen", CostUSD: 0.25, Trajectory: "t.json"}}},
		{"no model: the file's name", "gpt.jsonl", `{"instance_id":"a__b-1","model_patch":"x"}`, one("a__b-1", "gpt", "x")},
		{"nested", "p.jsonl", `{"instance_id":"a__b-1","model_name_or_path":"m","model_patch":{"model_name_or_path":"n","instance_id":"a__b-1","model_patch":"x"}}`, one("a__b-1", "n", "x")},
		{"nested null", "p.jsonl", `{"instance_id":"a__b-1","model_name_or_path":"m","model_patch":{"model_patch":null}}`, one("a__b-1", "m", "")},
		{"Multi-SWE-bench", "p.jsonl", `{"org":"a","repo":"b","number":"7","fix_patch":"x"}`, one("a__b-7", "p", "x")},
		{"Multi-SWE-bench, whole number", "p.jsonl", `{"org":"a","repo":"b","number":7,"fix_patch":"x"}`, one("a__b-7", "p", "x")},
		{"OmniCode, Java", "p.jsonl", `{"id":"a/b:pr-7","org":"a","repo":"b","number":7,"patch":"x"}`, one("a__b-7", "p", "x")},
		{"id only", "p.jsonl", `{"id":"a/b:pr-7","patch":"x"}`, one("a__b-7", "p", "x")},
		{"trajectory as a list", "p.jsonl", `{"instance_id":"a","model_patch":"x","trajectory":[1]}`, one("a", "p", "x")},
		{"list", "p.json", `[{"instance_id":"a","model_patch":"x"}]`, one("a", "p", "x")},
		{"keyed patches", "p.json", `{"a__b_1":"x"}`, one("a__b_1", "p", "x")},
		{"keyed null", "p.json", `{"a__b_1":null}`, one("a__b_1", "p", "")},
		{"keyed objects", "p.json", `{"a/b:pr-1":{"model_patch":"x","model_name_or_path":"m"}}`, one("a__b-1", "m", "x")},
		{"keyed, BOM, CRLF", "p.json", "\ufeff{\r\n\"a\": {\"model_patch\":\"x\"},\r\n\"b\":\"y\"\r\n}\r\n", []bench.Prediction{
			{InstanceID: "a", Model: "p", Patch: "x"}, {InstanceID: "b", Model: "p", Patch: "y"}}},
		{"same instance, other model and other task", "p.jsonl", `{"instance_id":"a","model_patch":"x"}
{"instance_id":"a","model_patch":"x","model_name_or_path":"m"}
{"instance_id":"a","model_patch":"x","task":"testgen"}`, []bench.Prediction{
			{InstanceID: "a", Model: "p", Patch: "x"}, {InstanceID: "a", Model: "m", Patch: "x"}, {InstanceID: "a", Model: "p", Patch: "x", Task: "testgen"}}},
		{"none", "p.jsonl", "\n", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			entries, got, err := predictions(t, file(t, tt.file, tt.content))
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
			for i, e := range entries {
				require.Equal(t, got[i].Patch == "", e.Empty)
			}
		})
	}
}

func TestPredictionErrors(t *testing.T) {
	const good = `{"instance_id":"a__b-1","model_name_or_path":"m","model_patch":"x"}`
	for _, tt := range []struct{ name, file, content, want string }{
		{"no patch", "p.jsonl", `{"instance_id":"a","patched":"x"}`, `p.jsonl:1: field "model_patch": expected a patch as a string, or null, got nothing`},
		{"patch is a number", "p.jsonl", `{"instance_id":"a","model_patch":1}`, `p.jsonl:1: field "model_patch": expected a patch as a string, or null, got number 1`},
		{"nested twice", "p.jsonl", `{"instance_id":"a","model_patch":{"model_patch":{"model_patch":"x"}}}`, `field "model_patch.model_patch": expected a patch as a string, or null, got an object`},
		{"nested for another instance", "p.jsonl", `{"instance_id":"a","model_patch":{"instance_id":"b","model_patch":"x"}}`, `field "model_patch.instance_id": expected "a", as around it, got "b"`},
		{"key of another instance", "p.json", `{"a":{"instance_id":"b","model_patch":"x"}}`, `field "instance_id": expected "a", as around it, got "b"`},
		{"no id", "p.jsonl", `{"model_patch":"x"}`, `p.jsonl:1: field "instance_id": expected an id that can name a file`},
		{"id climbs", "p.jsonl", `{"instance_id":"../../x","model_patch":"x"}`, `got "../../x"`},
		{"cost", "p.jsonl", `{"instance_id":"a","model_patch":"x","cost_usd":"1"}`, `field "cost_usd": expected a number, got "1"`},
		{"model", "p.jsonl", `{"instance_id":"a","model_patch":"x","model_name_or_path":1}`, `field "model_name_or_path": expected a string, got number 1`},
		{"doublet", "p.jsonl", good + "\n" + strings.Replace(good, "a__b-1", "a/b:pr-1", 1), `p.jsonl:2: field "instance_id": expected one prediction for each instance, model and task, got "a__b-1" by "m", which line 1 has too`},
		{"not UTF-8", "p.jsonl", good + "\n" + `{"instance_id":"c","model_patch":"` + "\xff" + `"}`, "p.jsonl:2:35: expected UTF-8, got byte 0xff"},
		{"half a surrogate", "p.jsonl", `{"instance_id":"c","model_patch":"\udcff"}`, `field "model_patch": expected a patch as a string, or null, got half a surrogate pair (\udcff)`},
		{"broken", "p.jsonl", good + "\n{", "p.jsonl:2:1: expected JSON, got broken JSON"},
		{"list of patches", "p.json", `["x"]`, `p.json:1: expected an object, got "x"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := file(t, tt.file, tt.content)
			_, _, err := predictions(t, path)
			var problems *bench.Problems
			require.ErrorAs(t, err, &problems)
			require.Contains(t, strings.ReplaceAll(err.Error(), filepath.Dir(path)+"/", ""), tt.want)
		})
	}
}

func TestWritePrediction(t *testing.T) {
	var b bytes.Buffer
	want := bench.Prediction{InstanceID: "a", Model: "m", Patch: "a <&> b\n"}
	require.NoError(t, bench.WritePrediction(&b, want))
	require.Equal(t, `{"instance_id":"a","model_name_or_path":"m","model_patch":"a <&> b\n"}`+"\n", b.String())
	var got bench.Prediction
	require.NoError(t, json.Unmarshal(b.Bytes(), &got))
	require.Equal(t, want, got)
	require.ErrorContains(t, bench.WritePrediction(&b, bench.Prediction{Patch: "\xff"}), "UTF-8")
}

func TestNormaliseID(t *testing.T) {
	for id, want := range map[string]string{
		"a__b-12":              "a__b-12",
		"a__b_12":              "a__b-12",
		"a/b:12":               "a__b-12",
		"a/b:pr-12":            "a__b-12",
		"a/b-c_d:pr-12":        "a__b-c_d-12",
		"a__b__c_1":            "a__b__c-1",
		"psf__requests-2931_4": "psf__requests-2931-4",
		"calc_1":               "calc_1",
		"calc-1":               "calc-1",
		"a__b":                 "a__b",
		"a__12":                "a__12",
		"a/b/c:pr-1":           "a/b/c:pr-1",
		"/b:pr-1":              "/b:pr-1",
		"":                     "",
	} {
		require.Equal(t, want, bench.NormaliseID(id), id)
	}
}

// TestPredictionMeasured: what was measured of an attempt is kept; other forms
// under the same names, as other programs write them, are skipped.
func TestPredictionMeasured(t *testing.T) {
	want := bench.Prediction{InstanceID: "a", Model: "m", Patch: "x", Attempt: 2, Seed: 12, End: "budget", Steps: 7, Seconds: 1.5, Tokens: bench.Tokens{Input: 3, Cached: 1, Output: 2}}
	var b bytes.Buffer
	require.NoError(t, bench.WritePrediction(&b, want))
	require.JSONEq(t, `{"instance_id":"a","model_name_or_path":"m","model_patch":"x","attempt":2,"seed":12,"end":"budget","steps":7,"seconds":1.5,"tokens":{"input":3,"cached":1,"output":2}}`, b.String())
	var got bench.Prediction
	require.NoError(t, json.Unmarshal(b.Bytes(), &got))
	require.Equal(t, want, got)
	got = bench.Prediction{}
	require.NoError(t, json.Unmarshal([]byte(`{"instance_id":"a","model_patch":"x","tokens":12,"end":{},"steps":[1],"seconds":"9","attempt":null,"seed":"x"}`), &got))
	require.Equal(t, bench.Prediction{InstanceID: "a", Patch: "x"}, got)
}
