package export

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/bench"
	"assay/internal/patch"
)

// harbor writes a task folder. Its image is the instance's, or one that a plain
// Dockerfile makes: that is not assay's environment.
func harbor(dir string, inst bench.Instance) error {
	l, err := containerOf(inst)
	if err != nil {
		return err
	}
	env, err := envOf(inst)
	if err != nil {
		return err
	}
	tests, err := patch.Parse([]byte(inst.TestPatch))
	if err != nil {
		return fmt.Errorf("test_patch: %w", err)
	}
	ids := slices.Concat([]string(inst.FailToPass), []string(inst.PassToPass))
	slices.Sort(ids)
	for _, f := range []struct {
		name, text string
		program    bool
	}{
		{"instruction.md", strings.TrimSpace(inst.ProblemStatement) + "\n", false},
		{"task.toml", harborSettings(inst, env), false},
		{"environment/Dockerfile", dockerfile(l, inst, env), false},
		{"solution/gold.patch", inst.Patch, false},
		{"solution/solve.sh", "#!/bin/bash\nset -e\ncd " + rootOf(inst) + "\ngit apply --whitespace=nowarn /solution/gold.patch\n", true},
		{"tests/test.patch", inst.TestPatch, false},
		{"tests/ids.txt", strings.Join(ids, "\n") + "\n", false},
		{"tests/paths.txt", strings.Join(tests.Paths(), "\n") + "\n", false},
		{"tests/test.sh", harborTest(l, inst, env, ids), true},
	} {
		mode := os.FileMode(0o644)
		if f.program {
			mode = 0o755
		}
		if err := put(filepath.Join(dir, inst.ID, f.name), f.text, mode); err != nil {
			return err
		}
	}
	return nil
}

func harborSettings(inst bench.Instance, env bench.Env) string {
	seconds := cmp.Or(env.TimeoutSeconds, 1800)
	return fmt.Sprintf(`version = "1.0"

[metadata]
category = "programming"
difficulty = "unknown"
tags = [%q, "bug fixing"]
instance_id = %q
repo = %q
base_commit = %q

[verifier]
timeout_sec = %d.0

[agent]
timeout_sec = 3000.0

[environment]
build_timeout_sec = 3600.0
cpus = 2
memory_mb = %d
storage_mb = 20480
`, inst.Language, inst.ID, inst.Repo, inst.BaseCommit, seconds, cmp.Or(env.MemoryMB, 4096))
}

// harborTest puts the hidden tests in place, runs them, and writes the reward.
func harborTest(c container, inst bench.Instance, env bench.Env, ids []string) string {
	return `#!/bin/bash
mkdir -p /logs/verifier
echo 0 > /logs/verifier/reward.txt
cd ` + rootOf(inst) + ` || exit 1
` + restore(inst, "/tests/paths.txt", "/tests/test.patch") + `ids=/tests/ids.txt
(
` + c.test(env, ids) + `
)
code=$?
[ $code -ne 0 ] || echo 1 > /logs/verifier/reward.txt
exit $code
`
}
