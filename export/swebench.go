package export

import (
	"bytes"
	"encoding/json"
	"path/filepath"

	"github.com/goccy/go-yaml"

	"assay/bench"
)

// sweRecord is a record as SWE-bench publishes it. Its lists of tests are
// strings that hold JSON.
type sweRecord struct {
	Repo             string `json:"repo"`
	ID               string `json:"instance_id"`
	BaseCommit       string `json:"base_commit"`
	Patch            string `json:"patch"`
	TestPatch        string `json:"test_patch"`
	ProblemStatement string `json:"problem_statement"`
	HintsText        string `json:"hints_text"`
	CreatedAt        string `json:"created_at"`
	Version          string `json:"version"`
	FailToPass       string `json:"FAIL_TO_PASS"`
	PassToPass       string `json:"PASS_TO_PASS"`
	SetupCommit      string `json:"environment_setup_commit"`
}

// sweBench adds a line to test.jsonl.
func sweBench(dir string, inst bench.Instance) error {
	f2p, err := jsonText(list(inst.FailToPass))
	if err != nil {
		return err
	}
	p2p, err := jsonText(list(inst.PassToPass))
	if err != nil {
		return err
	}
	line, err := jsonText(sweRecord{
		Repo: inst.Repo, ID: inst.ID, BaseCommit: inst.BaseCommit, Patch: inst.Patch, TestPatch: inst.TestPatch,
		ProblemStatement: inst.ProblemStatement, HintsText: inst.HintsText, CreatedAt: inst.CreatedAt, Version: inst.Version,
		FailToPass: f2p, PassToPass: p2p, SetupCommit: inst.BaseCommit,
	})
	if err != nil {
		return err
	}
	return appendTo(dir, "test.jsonl", []byte(line+"\n"))
}

// sweBenchTask writes a folder of SWE-bench 5's form below tasks.
func sweBenchTask(dir string, inst bench.Instance) error {
	about := yaml.MapSlice{
		{Key: "instance_id", Value: inst.ID}, {Key: "repo", Value: inst.Repo}, {Key: "base_commit", Value: inst.BaseCommit},
		{Key: "created_at", Value: inst.CreatedAt}, {Key: "version", Value: inst.Version}, {Key: "language", Value: inst.Language},
	}
	for _, field := range []struct{ name, value string }{{"image", inst.Image}, {"log_parser", inst.LogParser}, {"eval_type", string(inst.EvalType)}} {
		if field.value != "" {
			about = append(about, yaml.MapItem{Key: field.name, Value: field.value})
		}
	}
	meta, err := yaml.Marshal(about)
	if err != nil {
		return err
	}
	tests, err := jsonText(map[string][]string{"FAIL_TO_PASS": list(inst.FailToPass), "PASS_TO_PASS": list(inst.PassToPass)})
	if err != nil {
		return err
	}
	for _, f := range []struct{ name, text string }{
		{"task.yaml", string(meta)}, {"tests.json", tests + "\n"}, {"gold.patch", inst.Patch}, {"test.patch", inst.TestPatch},
		{"problem_statement.md", inst.ProblemStatement}, {"hints.md", inst.HintsText}, {"eval.sh", inst.EvalScript},
	} {
		if f.text == "" {
			continue
		}
		if err := put(filepath.Join(dir, "tasks", inst.ID, f.name), f.text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// list is never null in JSON.
func list(ids bench.TestIDs) []string { return append([]string{}, ids...) }

// jsonText is JSON in one line, without HTML escapes.
func jsonText(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", err
	}
	return string(bytes.TrimSpace(b.Bytes())), nil
}
