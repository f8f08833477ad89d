package export

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/bench"
	"assay/internal/patch"
)

// harborLanguage is how a language's tasks are set up and run where assay is
// not: by the exit code of its usual tool.
type harborLanguage struct {
	name string
	// base is an image, and setup are lines of its Dockerfile after the source.
	base  func(env bench.Env) string
	setup func(inst bench.Instance, env bench.Env) []string
	// test is shell that ends with code 0 where all of the tests pass. The ids
	// are in /tests/ids.txt too.
	test func(env bench.Env, ids []string) string
}

func harborLanguages() []harborLanguage {
	return []harborLanguage{harborPython(), harborJava(), harborCpp()}
}

// harbor writes a task folder. Its image is the instance's, or one that a plain
// Dockerfile makes: that is not assay's environment.
func harbor(dir string, inst bench.Instance) error {
	at := slices.IndexFunc(harborLanguages(), func(l harborLanguage) bool { return l.name == inst.Language })
	if at < 0 {
		return fmt.Errorf("language %q has no tasks in this form", inst.Language)
	}
	l := harborLanguages()[at]
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
		{"environment/Dockerfile", harborDockerfile(l, inst, env), false},
		{"solution/gold.patch", inst.Patch, false},
		{"solution/solve.sh", "#!/bin/bash\nset -e\ncd " + harborRoot(inst) + "\ngit apply --whitespace=nowarn /solution/gold.patch\n", true},
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

// envOf is the instance's env, or the one that package collect validated: an
// env that a neighbour or a model made has only what inference does not find.
func envOf(inst bench.Instance) (bench.Env, error) {
	var about struct {
		Env *bench.Env `json:"env"`
		By  string     `json:"environment_by"`
	}
	if raw := inst.Extra["collected"]; raw != nil {
		if err := json.Unmarshal(raw, &about); err != nil {
			return bench.Env{}, fmt.Errorf("collected: %w", err)
		}
	}
	switch {
	case about.Env != nil && (inst.Env == nil || about.By != ""):
		return *about.Env, nil
	case inst.Env != nil:
		return *inst.Env, nil
	}
	return bench.Env{}, nil
}

func harborRoot(inst bench.Instance) string { return cmp.Or(inst.Root, "/testbed") }

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

// harborBase is the tag of base in an image that is made for the task.
const harborBase = "task-base"

// harborDockerfile makes an image whose repository has one commit, with a tag.
func harborDockerfile(l harborLanguage, inst bench.Instance, env bench.Env) string {
	if inst.Image != "" {
		return "FROM " + inst.Image + "\nWORKDIR " + harborRoot(inst) + "\n"
	}
	url := inst.Repo
	if !strings.Contains(url, "://") && !strings.HasPrefix(url, "/") {
		url = "https://github.com/" + url
	}
	lines := []string{"FROM " + cmp.Or(env.Base, l.base(env))}
	packages := append([]string{"git", "ca-certificates"}, env.Packages...)
	slices.Sort(packages)
	lines = append(lines,
		"RUN apt-get update && apt-get install -y --no-install-recommends "+strings.Join(slices.Compact(packages), " ")+" && rm -rf /var/lib/apt/lists/*",
		fmt.Sprintf("RUN git clone %s /testbed && cd /testbed && git checkout -q %s && git submodule update --init --recursive && rm -rf .git && git init -q && git add -A && git -c user.name=base -c user.email=base@localhost commit -q -m base && git tag %s", url, inst.BaseCommit, harborBase),
		"WORKDIR /testbed",
	)
	for _, name := range slices.Sorted(maps.Keys(env.Vars)) {
		// The rest names places of assay's environments.
		if v := env.Vars[name]; !strings.HasPrefix(name, "ASSAY_") && !strings.Contains(v, "/opt/") {
			lines = append(lines, fmt.Sprintf("ENV %s=%q", name, v))
		}
	}
	return strings.Join(append(lines, l.setup(inst, env)...), "\n") + "\n"
}

// shellWords are words of a command line, each quoted, with a blank before it.
func shellWords(words []string) string {
	out := ""
	for _, w := range words {
		out += " '" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return out
}

// harborTest puts the hidden tests in place, runs them, and writes the reward.
// HEAD may be a commit of the agent's.
func harborTest(l harborLanguage, inst bench.Instance, env bench.Env, ids []string) string {
	base := harborBase
	if inst.Image != "" {
		base = inst.BaseCommit
	}
	return `#!/bin/bash
mkdir -p /logs/verifier
echo 0 > /logs/verifier/reward.txt
cd ` + harborRoot(inst) + ` || exit 1
# What the hidden tests name is set back to base first.
base=` + base + `
git rev-parse -q --verify "$base^{commit}" >/dev/null || { echo "the repository does not hold $base" >&2; exit 1; }
while IFS= read -r path; do
  git checkout -q "$base" -- "$path" 2>/dev/null || rm -rf -- "$path"
done < /tests/paths.txt
git apply --whitespace=nowarn /tests/test.patch || exit 1
(
` + l.test(env, ids) + `
)
code=$?
[ $code -ne 0 ] || echo 1 > /logs/verifier/reward.txt
exit $code
`
}
