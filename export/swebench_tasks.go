package export

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"assay/bench"
	"assay/internal/patch"
)

// What SWE-bench 5 asks of a repository of tasks.
const (
	sweDataset = "local/dataset" // that all tasks are of
	sweSplit   = "test"
	// sweParser is SWE-bench's reader of lines PASS: ID and FAIL: ID; it is called
	// after a project that prints such.
	sweParser = "parse_log_jq"
	sweStart  = ">>>>> Start Test Output"
	sweEnd    = ">>>>> End Test Output"
)

// sweBenchTask writes a folder of SWE-bench 5's form below tasks, and sweb.yaml,
// which lists what is published. If the instance has no evaluation script of its
// own, a script runs the hidden tests by the language's usual tool.
func sweBenchTask(dir string, inst bench.Instance) error {
	c, err := containerOf(inst)
	if err != nil && (inst.EvalScript == "" || inst.LogParser == "" || inst.Image == "") {
		return err
	}
	env, err := envOf(inst)
	if err != nil {
		return err
	}
	script, parser := inst.EvalScript, inst.LogParser
	if script == "" || parser == "" {
		if script, err = sweScript(c, inst, env); err != nil {
			return err
		}
		parser = sweParser
	}
	config, err := yaml.Marshal(yaml.MapSlice{{Key: "datasets", Value: []string{sweDataset}}, {Key: "splits", Value: []string{sweSplit}}})
	if err != nil {
		return err
	}
	meta, err := yaml.Marshal(yaml.MapSlice{
		{Key: "instance_id", Value: inst.ID}, {Key: "repo", Value: inst.Repo}, {Key: "base_commit", Value: inst.BaseCommit},
		{Key: "created_at", Value: inst.CreatedAt}, {Key: "version", Value: inst.Version}, {Key: "language", Value: inst.Language},
		{Key: "split", Value: sweSplit}, {Key: "datasets", Value: []string{sweDataset}}, {Key: "image", Value: sweImage(inst.ID)},
		{Key: "log_parser", Value: parser}, {Key: "eval_type", Value: string(cmp.Or(inst.EvalType, bench.EvalPassAndFail))},
	})
	if err != nil {
		return err
	}
	tests, err := jsonText(map[string][]string{"FAIL_TO_PASS": list(inst.FailToPass), "PASS_TO_PASS": list(inst.PassToPass)})
	if err != nil {
		return err
	}
	if err := put(filepath.Join(dir, "sweb.yaml"), string(config), 0o644); err != nil {
		return err
	}
	for _, f := range []struct{ name, text string }{
		{"task.yaml", string(meta)}, {"tests.json", tests + "\n"}, {"gold.patch", inst.Patch}, {"test.patch", inst.TestPatch},
		{"problem_statement.md", inst.ProblemStatement}, {"hints.md", inst.HintsText}, {"eval.sh", script}, {"Dockerfile", sweDockerfile(c, inst, env)},
	} {
		if f.text == "" && f.name == "hints.md" {
			continue
		}
		if err := put(filepath.Join(dir, "tasks", inst.ID, f.name), f.text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// sweImage is the name that SWE-bench gives the image of a task.
func sweImage(id string) string {
	return strings.ReplaceAll(strings.ToLower("swebench/sweb.eval.x86_64."+id+":latest"), "__", "_1776_")
}

// sweDockerfile makes the image; SWE-bench applies patches in /testbed.
func sweDockerfile(c container, inst bench.Instance, env bench.Env) string {
	text := dockerfile(c, inst, env)
	if root := rootOf(inst); root != "/testbed" {
		text += "RUN ln -sfn " + root + " /testbed\n"
	}
	return text
}

// sweScript is the evaluation script: it contains the hidden tests itself, and
// prints what they did between two marks, each of which it prints once. SWE-bench
// treats the code before the second mark as that of the tests.
func sweScript(c container, inst bench.Instance, env bench.Env) (string, error) {
	tests, err := patch.Parse([]byte(inst.TestPatch))
	if err != nil {
		return "", fmt.Errorf("test_patch: %w", err)
	}
	ids := slices.Concat([]string(inst.FailToPass), []string(inst.PassToPass))
	slices.Sort(ids)
	return `#!/bin/bash
set +ux
cd ` + rootOf(inst) + ` || exit 1
work=$(mktemp -d)
ids=$work/ids.txt log=$work/log.txt
` + hereDocument(`"$ids"`, strings.Join(ids, "\n")) + hereDocument(`"$work/paths.txt"`, strings.Join(tests.Paths(), "\n")) + hereDocument(`"$work/test.patch"`, inst.TestPatch) +
		restore(inst, `"$work/paths.txt"`, `"$work/test.patch"`) + `(
` + c.test(env, ids) + `
) > "$log" 2>&1
code=$?
# Nothing that the tests print is taken for a mark or a result.
sed 's/^/| /; s/>>>>>/>/g' "$log"
echo '` + sweStart + `'
` + c.results + `
(exit $code)
echo '` + sweEnd + `'
`, nil
}

// hereDocument is shell that writes a text, with a newline at its end, to a file.
func hereDocument(file, text string) string {
	end := "END_OF_TEXT"
	for strings.Contains("\n"+text+"\n", "\n"+end+"\n") {
		end += "_"
	}
	return "cat > " + file + " <<'" + end + "'\n" + strings.TrimSuffix(text, "\n") + "\n" + end + "\n"
}
