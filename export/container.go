package export

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay/bench"
)

// container is how a language's tasks are set up and run in a container where
// assay is not: by its usual tools.
type container struct {
	name string
	// base is an image, and setup are lines of its Dockerfile after the source.
	base  func(env bench.Env) string
	setup func(inst bench.Instance, env bench.Env) []string
	// test is shell that ends with code 0 where all of the tests pass. The ids
	// are in the file $ids, too.
	test func(env bench.Env, ids []string) string
	// results is shell that prints PASS: ID or FAIL: ID for each test, from the
	// ids in $ids, the exit code $code of test and its output in the file $log.
	results string
}

func containers() []container {
	return []container{pythonContainer(), javaContainer(), cppContainer()}
}

// containerOf is that of an instance's language.
func containerOf(inst bench.Instance) (container, error) {
	at := slices.IndexFunc(containers(), func(c container) bool { return c.name == inst.Language })
	if at < 0 {
		return container{}, fmt.Errorf("language %q has no tasks in this form", inst.Language)
	}
	return containers()[at], nil
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

// rootOf is the folder of the repository.
func rootOf(inst bench.Instance) string { return cmp.Or(inst.Root, "/testbed") }

// baseTag is the tag of base in an image that is made for the task.
const baseTag = "task-base"

// dockerfile makes an image whose repository has one commit, with a tag.
func dockerfile(c container, inst bench.Instance, env bench.Env) string {
	if inst.Image != "" {
		return "FROM " + inst.Image + "\nWORKDIR " + rootOf(inst) + "\n"
	}
	url := inst.Repo
	if !strings.Contains(url, "://") && !strings.HasPrefix(url, "/") {
		url = "https://github.com/" + url
	}
	lines := []string{"FROM " + cmp.Or(env.Base, c.base(env))}
	packages := append([]string{"git", "ca-certificates"}, env.Packages...)
	slices.Sort(packages)
	lines = append(lines,
		"RUN apt-get update && apt-get install -y --no-install-recommends "+strings.Join(slices.Compact(packages), " ")+" && rm -rf /var/lib/apt/lists/*",
		fmt.Sprintf("RUN git clone %s /testbed && cd /testbed && git checkout -q %s && git submodule update --init --recursive && rm -rf .git && git init -q && git add -A && git -c user.name=base -c user.email=base@localhost commit -q -m base && git tag %s", url, inst.BaseCommit, baseTag),
		"WORKDIR /testbed",
	)
	for _, name := range slices.Sorted(maps.Keys(env.Vars)) {
		// The rest names places of assay's environments.
		if v := env.Vars[name]; !strings.HasPrefix(name, "ASSAY_") && !strings.Contains(v, "/opt/") {
			lines = append(lines, fmt.Sprintf("ENV %s=%q", name, v))
		}
	}
	return strings.Join(append(lines, c.setup(inst, env)...), "\n") + "\n"
}

// restore is shell that sets the files of the hidden tests back to base and applies
// their patch: in the repository, with the paths in the file of the first argument
// and the patch in that of the second. HEAD may be a commit of the agent's.
func restore(inst bench.Instance, paths, diff string) string {
	base := baseTag
	if inst.Image != "" {
		base = inst.BaseCommit
	}
	return `# What the hidden tests name is set back to base first.
base=` + base + `
git rev-parse -q --verify "$base^{commit}" >/dev/null || { echo "the repository does not hold $base" >&2; exit 1; }
while IFS= read -r path; do
  git checkout -q "$base" -- "$path" 2>/dev/null || rm -rf -- "$path"
done < ` + paths + `
git apply --whitespace=nowarn ` + diff + ` || exit 1
`
}

// shellWords are words of a command line, each quoted, with a blank before it.
func shellWords(words []string) string {
	out := ""
	for _, w := range words {
		out += " '" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return out
}
