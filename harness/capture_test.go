package harness

import (
	"bytes"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestCapture(t *testing.T) {
	tests := map[string]struct {
		limit      int64
		writes     []string
		head, tail string
		omitted    int64
	}{
		"nothing":        {10, nil, "", "", 0},
		"below":          {10, []string{"abc", "def"}, "abcdef", "", 0},
		"just the limit": {10, []string{"abcdefg", "hij"}, "abcdefghij", "", 0},
		"one beyond":     {10, []string{"abcdefghijk"}, "abcde", "ghijk", 1},
		"odd limit":      {5, []string{"abcdefg"}, "ab", "efg", 2},
		"limit of one":   {1, []string{"abc"}, "", "c", 2},
		"in pieces":      {4, []string{"a", "b", "c", "d", "e", "f", "g"}, "ab", "fg", 3},
		"long after few": {6, []string{"a", "bcdefghijklmnop"}, "abc", "nop", 10},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := NewCapture(tt.limit, nil)
			for _, w := range tt.writes {
				n, err := c.Write([]byte(w))
				require.NoError(t, err)
				require.Equal(t, len(w), n)
			}
			out := c.Output()
			require.Equal(t, tt.head, string(out.Head))
			require.Equal(t, tt.tail, string(out.Tail))
			require.Equal(t, tt.omitted, out.Omitted)
		})
	}
}

// TestCaptureKeepsEnds compares with keeping everything.
func TestCaptureKeepsEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.Int64Range(1, 40).Draw(t, "limit")
		c := NewCapture(limit, nil)
		var all []byte
		for _, w := range rapid.SliceOf(rapid.SliceOfN(rapid.Byte(), 0, 60)).Draw(t, "writes") {
			_, _ = c.Write(w)
			all = append(all, w...)
		}
		out := c.Output()
		kept := int64(len(out.Head) + len(out.Tail))
		require.Equal(t, min(limit, int64(len(all))), kept)
		require.Equal(t, int64(len(all))-kept, out.Omitted)
		require.True(t, bytes.HasPrefix(all, out.Head))
		require.True(t, bytes.HasSuffix(all, out.Tail))
	})
}

func TestCaptureOverflow(t *testing.T) {
	calls := 0
	c := NewCapture(10, func() { calls++ })
	_, _ = c.Write(make([]byte, 100))
	require.Zero(t, calls, "ten times the limit is allowed")
	require.False(t, c.Exceeded())
	_, _ = c.Write([]byte("x"))
	require.Equal(t, 1, calls)
	require.True(t, c.Exceeded())
	_, _ = c.Write(make([]byte, 500))
	require.Equal(t, 1, calls)
	require.EqualValues(t, 591, c.Output().Omitted)
}

func TestCaptureConcurrent(t *testing.T) {
	calls := 0
	c := NewCapture(100, func() { calls++ })
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 200 {
				_, _ = fmt.Fprintf(c, "%d\n", i)
				_ = c.Output()
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, 8*200*2-100, c.Output().Omitted)
	require.Equal(t, 1, calls)
}

func BenchmarkCapture(b *testing.B) {
	block := make([]byte, 32<<10)
	c := NewCapture(4<<20, nil)
	b.SetBytes(int64(len(block)))
	for b.Loop() {
		_, _ = c.Write(block)
	}
}
