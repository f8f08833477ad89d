package decoded

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDecoded(t *testing.T) {
	require.Equal(t, "x", Text(Object(List([]any{map[string]any{"a": "x"}})[0])["a"]))
	require.True(t, Bool(true))
	for _, v := range []any{nil, 1.5, struct{}{}} {
		require.Empty(t, Object(v)["a"])
		require.Empty(t, List(v))
		require.Empty(t, Text(v))
		require.False(t, Bool(v))
	}
	require.Equal(t, 2, First(map[string]any{"b": 2, "c": 3}, "a", "b", "c"))
	require.Nil(t, First(nil, "a"))
}
