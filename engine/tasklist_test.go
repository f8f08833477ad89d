package engine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/llm/prompts"
	"assay/tasks"
)

// TestListTasks: tasks come by kind, those that agents must not get are left
// out.
func TestListTasks(t *testing.T) {
	parts := Default()
	kinds := parts.Kinds.All()
	list, err := ListTasks(t.Context(), parts, dataset(t, "a-1", "b-2"), kinds[:3])
	require.NoError(t, err)
	defer list.Close()
	var names []string
	for i := range list.Len() {
		names = append(names, list.Name(i))
		task, err := list.Load(i)
		require.NoError(t, err)
		require.Equal(t, list.Name(i), task.ID())
		require.Equal(t, list.Instance(i), task.Instance.ID)
		require.NotNil(t, task.Languages)
	}
	require.Equal(t, []string{"bugfix/a-1", "bugfix/b-2", "testgen/a-1", "testgen/b-2"}, names)
	require.Equal(t, map[string]int{"review": 2}, list.NotBuilt)
}

// TestVisibleDigest: what agents cannot see changes nothing.
func TestVisibleDigest(t *testing.T) {
	set, err := prompts.Load("")
	require.NoError(t, err)
	parts := Default()
	digests := func(inst bench.Instance) (visible, whole string) {
		task := tasks.Task{Kind: "bugfix", Instance: &inst, Languages: parts.Languages}
		prompt, err := parts.Prompt(set, task)
		require.NoError(t, err)
		visible, err = VisibleDigest(task, prompt)
		require.NoError(t, err)
		whole, err = WholeDigest(task, prompt)
		require.NoError(t, err)
		return visible, whole
	}
	inst := bench.Instance{ID: "a-1", Repo: "o/r", BaseCommit: "01234567", Language: "python", ProblemStatement: "it breaks", Patch: "gold"}
	visible, whole := digests(inst)
	inst.Patch, inst.TestPatch, inst.BadPatches = "other", "tests", []bench.BadPatch{{Patch: "bad"}}
	seen, all := digests(inst)
	require.Equal(t, visible, seen)
	require.NotEqual(t, whole, all)
	inst.ProblemStatement = "it breaks badly"
	seen, _ = digests(inst)
	require.NotEqual(t, visible, seen)
	inst.ProblemStatement, inst.BaseCommit = "it breaks", "12345678"
	seen, _ = digests(inst)
	require.NotEqual(t, visible, seen)
}
