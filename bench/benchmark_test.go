package bench_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// writeMany writes n valid instances with patches of about size bytes each.
func writeMany(t testing.TB, path string, n, size int) {
	f, err := os.Create(path)
	require.NoError(t, err)
	w := bufio.NewWriterSize(f, 1<<20)
	body := strings.Repeat("+    return values[index] # \"quoted\"\n", size/36)
	in := bench.Instance{
		Repo: "acme/widgets", BaseCommit: "0123456789abcdef0123456789abcdef01234567",
		Patch: "--- a/w.py\n+++ b/w.py\n" + body, TestPatch: "--- a/test_w.py\n+++ b/test_w.py\n",
		FailToPass: bench.TestIDs{"test_w.py::test_a"}, Language: "python",
	}
	for i := range n {
		in.ID = fmt.Sprintf("acme__widgets-%d", i)
		require.NoError(t, bench.WriteInstance(w, in))
	}
	require.NoError(t, w.Flush())
	require.NoError(t, f.Close())
}

// BenchmarkIndex indexes 100,000 instances. It reports the time and the
// bytes allocated for one instance, the highest heap seen during the scan, and
// what the index holds in the end.
func BenchmarkIndex(b *testing.B) {
	const n = 100_000
	for _, size := range []int{1 << 10, 10 << 10} {
		b.Run(fmt.Sprintf("%dKB", size>>10), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "d.jsonl")
			writeMany(b, path, n, size)
			info, err := os.Stat(path)
			require.NoError(b, err)
			b.SetBytes(info.Size())
			for b.Loop() {
				indexOnce(b, path, n)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/instance")
		})
	}
}

func indexOnce(b *testing.B, path string, n int) {
	d, err := bench.OpenDataset(path)
	require.NoError(b, err)
	defer d.Close()
	before := liveBytes()
	var peak uint64
	var m runtime.MemStats
	entries := []bench.Entry{}
	err = d.Scan(b.Context(), func(e bench.Entry, _ *bench.Instance) error {
		entries = append(entries, e)
		if len(entries)%500 == 0 {
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapInuse)
		}
		return nil
	})
	require.NoError(b, err)
	require.Len(b, entries, n)
	b.ReportMetric(float64(peak)/1e6, "peak-MB")
	b.ReportMetric(float64(liveBytes()-before)/1e6, "index-MB")
	runtime.KeepAlive(entries)
}
