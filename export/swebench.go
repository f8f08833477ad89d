package export

import (
	"bytes"
	"encoding/json"

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
