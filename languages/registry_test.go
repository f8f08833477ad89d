package languages

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

type named struct {
	genericLanguage
}

func TestRegistry(t *testing.T) {
	r := Default()
	require.Equal(t, bench.KnownLanguages(), r.Descriptors(), "described once, in the same order")
	require.NoError(t, r.Register(named{genericLanguage{"shell"}}))
	require.EqualError(t, r.Register(named{genericLanguage{"shell"}}), `language "shell" is registered already`)
	require.ErrorContains(t, r.Register(named{}), "without a name")
	require.Equal(t, []string{Python, Java, Cpp, "shell"}, r.Names())
	require.Equal(t, []string{Python, Java, Cpp}, Default().Names(), "each registry is its own")
	l, err := r.Lookup("shell")
	require.NoError(t, err)
	require.False(t, IsGeneric(l))
}

func TestNoRegistryIsTheDefault(t *testing.T) {
	var none *Registry
	require.Equal(t, Default().Names(), none.Names())
	l, err := none.Lookup(Cpp)
	require.NoError(t, err)
	require.Equal(t, cppLanguage{}, l)
}

func TestUnknownLanguage(t *testing.T) {
	r := Default()
	_, err := r.of(&bench.Instance{Language: "cobol"})
	require.EqualError(t, err, `language "cobol" is not known (known: python, java, cpp)`)
	l, err := r.of(&bench.Instance{Language: "cobol", Image: "x"})
	require.NoError(t, err)
	require.True(t, IsGeneric(l))
	require.Equal(t, "cobol", l.About().Name)
	for _, p := range []string{"a.cc", "a.h", "a.py"} {
		require.False(t, l.About().IsCode(p), "%s is never taken for code of another language", p)
		require.False(t, runnable(l, "tests/"+p, nil), p)
	}
	_, err = l.Tests("tests/a.py", []byte("def test_a(): pass\n"))
	require.ErrorContains(t, err, `"cobol" is not known`)
	_, _, err = l.Defaults(bench.Env{}, Facts{})
	require.Error(t, err)
}
