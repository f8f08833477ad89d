package languages

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// names is a repository of empty files.
type names []string

func (n names) Paths() []string    { return n }
func (n names) Text(string) string { return "" }

func TestPublishedFiles(t *testing.T) {
	repo := names{"lib/a.py", "tests/test_a.py", "tests/sub/test_b.py", "gson/src/test/java/com/x/FooTest.java", "other/src/test/java/com/y/FooTest.java", "test/a.cc"}
	for name, c := range map[string]struct {
		language string
		ids      []string
		want     []string
	}{
		"node ids":         {Python, []string{"tests/test_a.py::test_x[1]", "tests/test_a.py::T::test_y"}, []string{"tests/test_a.py"}},
		"junit ids":        {Python, []string{"tests.sub.test_b.TestB::test_x"}, []string{"tests/sub/test_b.py"}},
		"unknown":          {Python, []string{"test_x", "nowhere/test_c.py::test"}, []string{}},
		"java":             {Java, []string{"com.x.FooTest::bar", "com.x.FooTest$In::bar[1]"}, []string{"gson/src/test/java/com/x/FooTest.java"}},
		"java with a dot":  {Java, []string{"com.y.FooTest.bar"}, []string{"other/src/test/java/com/y/FooTest.java"}},
		"other package":    {Java, []string{"com.z.FooTest::bar"}, []string{}},
		"c++ has no files": {Cpp, []string{"Suite.Test"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, (*Registry)(nil).Named(c.language).PublishedFiles(c.ids, repo))
		})
	}
}
