package registry

import (
	"testing"

	"github.com/stretchr/testify/require"
)

type part struct{ name, what string }

func named(p part) string { return p.name }

func TestRegistry(t *testing.T) {
	r := New("linter", named, part{"b", "1"}, part{"a", "2"})
	require.Equal(t, []string{"b", "a"}, r.Names(), "in the order in which they were registered")
	require.NoError(t, r.Register(part{"c", "3"}))
	require.EqualError(t, r.Register(part{"a", "4"}), `linter "a" is registered already`)
	require.EqualError(t, r.Register(part{}), "a linter without a name cannot be registered")
	got, err := r.Lookup("a")
	require.NoError(t, err)
	require.Equal(t, "2", got.what)
	_, err = r.Lookup("d")
	require.EqualError(t, err, `linter "d" is not known (known: b, a, c)`)
}

func TestWithLeavesTheOriginal(t *testing.T) {
	r := New("linter", named, part{"a", "1"}, part{"b", "2"})
	other, err := r.With(part{"a", "3"})
	require.NoError(t, err)
	require.Equal(t, []part{{"a", "1"}, {"b", "2"}}, r.All())
	require.Equal(t, []part{{"a", "3"}, {"b", "2"}}, other.All())
	_, err = r.With(part{"c", ""})
	require.EqualError(t, err, `linter "c" is not known (known: a, b)`)
}

func TestAllIsACopy(t *testing.T) {
	r := New("linter", named, part{"a", "1"})
	r.All()[0].name = "z"
	require.Equal(t, []string{"a"}, r.Names())
}
