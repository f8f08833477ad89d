package bench_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

func result(model, id, digest string) bench.Result {
	return bench.Result{
		Task: "bugfix", InstanceID: id, Model: model, Language: "python", Repo: "a/b",
		Verdict: bench.Resolved, TaskDigest: digest, Reason: "<all> & more",
		BugFix: &bench.BugFix{FailToPass: bench.TestSplit{Passed: []string{"t"}}},
		Runs:   []bench.Run{{Name: "gold", State: bench.RunDone, Tests: []bench.Test{{ID: "t", Status: bench.Passed}}}},
	}
}

func store(t *testing.T, path string) *bench.Store {
	s, err := bench.OpenStore(path)
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() }) // the test may have closed it
	return s
}

// results reads a file back.
func results(t *testing.T, path string) []bench.Result {
	var all []bench.Result
	require.NoError(t, bench.ReadResults(t.Context(), path, func(r bench.Result) error {
		all = append(all, r)
		return nil
	}))
	return all
}

func TestStoreAppendsAndFinds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.jsonl")
	s := store(t, path)
	first, second := result("m", "a", "d1"), result("n", "a", "d1")
	require.NoError(t, s.Append(first))
	require.NoError(t, s.Append(second))
	require.NoError(t, s.Append(result("m", "b", "d2")))
	again := result("m", "b", "d2")
	again.Verdict = bench.Infra
	require.NoError(t, s.Append(again))
	require.NoError(t, s.Close())

	s = store(t, path)
	require.Empty(t, s.Note())
	done := s.Done()
	require.Len(t, done, 2)
	require.Len(t, done["d1"], 2, "two models submitted the same")
	require.Len(t, s.Lookup("d2"), 1, "the later one counts")
	require.Equal(t, bench.Infra, s.Lookup("d2")[0].Verdict)
	require.Empty(t, s.Lookup("d3"))
	got, err := s.Read(done["d1"][1])
	require.NoError(t, err)
	require.Equal(t, second, got)
	require.Len(t, results(t, path), 4)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(text), `"<all> & more"`)
}

func TestStoreDropsACutLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.jsonl")
	s := store(t, path)
	require.NoError(t, s.Append(result("m", "a", "d1")))
	require.NoError(t, s.Append(result("m", "b", "d2")))
	require.NoError(t, s.Close())
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	first := bytes.IndexByte(whole, '\n') + 1
	for cut := first; cut <= len(whole); cut++ {
		require.NoError(t, os.WriteFile(path, whole[:cut], 0o644))
		complete := cut >= len(whole)-1 // the line end alone may lack
		want := 1
		if complete {
			want = 2
		}
		require.Len(t, results(t, path), want, "a reader passes over a cut line")
		s := store(t, path)
		require.Equal(t, cut != first && !complete, s.Note() != "", "cut at %d: %s", cut, s.Note())
		require.Len(t, s.Done(), want)
		require.NoError(t, s.Append(result("m", "b", "d2")))
		got, err := s.Read(s.Lookup("d2")[0])
		require.NoError(t, err)
		require.Equal(t, "b", got.InstanceID)
		require.NoError(t, s.Close())
		require.Len(t, results(t, path), want+1)
	}
}

func TestStoreRefusesABrokenLine(t *testing.T) {
	path := file(t, "results.jsonl", "{\"task\":\"bugfix\"}\nxx\n{\"task\":\"bugfix\"}\n")
	_, err := bench.OpenStore(path)
	require.ErrorContains(t, err, "line 2")
	text, readErr := os.ReadFile(path)
	require.NoError(t, readErr)
	require.Len(t, string(text), 39, "nothing was changed")
	require.ErrorContains(t, bench.ReadResults(t.Context(), path, func(bench.Result) error { return nil }), "results.jsonl:2:1: expected JSON")
}

func TestStoreIsOneProcessOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.jsonl")
	s := store(t, path)
	_, err := bench.OpenStore(path)
	require.ErrorContains(t, err, "another process is writing it")
	require.NoError(t, s.Close())
	store(t, path)
}

func TestStoreTakesConcurrentAppends(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.jsonl")
	s := store(t, path)
	var wg sync.WaitGroup
	errs := make([]error, 8)
	for w := range errs {
		wg.Go(func() {
			for i := range 50 {
				r := result("m", fmt.Sprintf("i-%d-%d", w, i), fmt.Sprintf("d-%d-%d", w, i))
				r.Reason = strings.Repeat("x", 100*i)
				if err := s.Append(r); err != nil {
					errs[w] = err
				}
				s.Done()
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	require.Len(t, results(t, path), 400)
	for digest, list := range s.Done() {
		got, err := s.Read(list[0])
		require.NoError(t, err)
		require.Equal(t, digest, got.TaskDigest)
	}
}

func TestWriteAtomic(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "summary.json")
	require.NoError(t, bench.WriteAtomic(path, []byte("one")))
	require.NoError(t, bench.WriteAtomic(path, []byte("two")))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "two", string(text))
	require.ErrorContains(t, bench.WriteAtomic(filepath.Join(dir, "absent", "x"), nil), "no such file")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "taken"), 0o755))
	require.Error(t, bench.WriteAtomic(filepath.Join(dir, "taken"), nil), "a directory is in the way")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 2, "no temporary file is left")
}
