package languages

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWithUnits(t *testing.T) {
	repo := pythonTree{
		"test/all.cpp":          "#include <doctest/doctest.h>\n#include \"test-a.cpp\"\n  # include \"parts/test-b.cpp\"\n",
		"test/test-a.cpp":       "#include \"common.hpp\"\n",
		"test/alone.cpp":        "#include \"common.hpp\"\n// #include \"test-a.cpp\"\n",
		"test/common.hpp":       "",
		"test/parts/test-b.cpp": "#include \"test-c.cpp\"\n#include \"test-b.cpp\"\n",
		"test/parts/test-c.cpp": "",
		"test/from_root.cpp":    "#include \"test/rooted.cpp\"\n",
		"test/rooted.cpp":       "",
		"src/main.cpp":          "#include \"../test/test-a.cpp\"\n",
	}
	for name, c := range map[string]struct{ files, want []string }{
		"compiled on its own":    {[]string{"test/alone.cpp"}, []string{"test/alone.cpp"}},
		"included":               {[]string{"test/test-a.cpp"}, []string{"test/test-a.cpp", "test/all.cpp"}},
		"by way of another":      {[]string{"test/parts/test-c.cpp"}, []string{"test/parts/test-c.cpp", "test/all.cpp", "test/parts/test-b.cpp"}},
		"from the root":          {[]string{"test/rooted.cpp"}, []string{"test/rooted.cpp", "test/from_root.cpp"}},
		"a header is no unit":    {[]string{"test/common.hpp"}, []string{"test/common.hpp"}},
		"two that share an unit": {[]string{"test/test-a.cpp", "test/parts/test-b.cpp"}, []string{"test/test-a.cpp", "test/parts/test-b.cpp", "test/all.cpp"}},
		"none":                   {nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := withUnits(Suite{Repo: repo, Files: c.files, Changed: c.files})
			require.Equal(t, c.want, s.Files)
			require.Equal(t, c.want, s.Changed)
		})
	}
	require.Equal(t, []string{"x.cpp"}, withUnits(Suite{Files: []string{"x.cpp"}}).Files)
}
