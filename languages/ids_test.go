package languages

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMatchPythonIDs(t *testing.T) {
	known := []string{
		"sympy/functions/elementary/tests/test_miscellaneous.py::test_Max",
		"test/test_utils.py::TestUtil::test_x",
		"test/test_utils.py::TestUtil::test_y",
		"test/test_aes.py::TestAES::test_encrypt",
		"test/sub/test_aes.py::test_other",
		"tests/admin_views/tests.py::AdminViewTest::test_login",
		"tests/admin_views/tests.py::AdminViewTest::test_logout",
		"tests/test_a.py::test_foo",
		"tests/test_b.py::test_foo",
		"tests/test_b.py::test_foo_bar",
		"tests/test_p.py::test_p[1-a b]",
		"tests/test_p.py::test_p[1-a c]",
		"tests/test_p.py::test_p[2]",
		"tests/test_p.py::test_p[[]",
		"tests/test_p.py::test_q[1-a b]",
		"tests/test_err.py",
	}
	p := func(names ...string) []string {
		out := []string{}
		for _, n := range names {
			out = append(out, "tests/test_p.py::"+n)
		}
		return out
	}
	checkMatches(t, Python, known, map[string][]string{
		"tests/test_a.py::test_foo":                                     {"tests/test_a.py::test_foo"},
		"sympy.functions.elementary.tests.test_miscellaneous::test_Max": {known[0]},
		"test.test_utils.TestUtil::test_x":                              {known[1]},
		"test.test_utils.TestUtil.test_x":                               {known[1]},
		"TestUtil::test_y":                                              {known[2]},
		"TestUtil":                                                      {known[1], known[2]},
		"test_utils.py::TestUtil":                                       {known[1], known[2]},
		"test/test_aes.py":                                              {known[3]},
		"test_aes.py":                                                   {known[3], known[4]},
		"test/sub/":                                                     {known[4]},
		"test/":                                                         {known[1], known[2], known[3], known[4]},
		"test_login (admin_views.tests.AdminViewTest)":                  {known[5]},
		"test_login (admin_views.tests.AdminViewTest.test_login)": {known[5]},
		"test_login (admin_views.tests.AdminViewTest) (i=1)":      {known[5]},
		"test_foo":                     {known[7], known[8]},
		"test_foo ":                    {known[7], known[8]},
		"foo":                          {},
		"_foo":                         {},
		"tests/test_c.py::test_foo":    {},
		"tests/test_p.py::test_p":      p("test_p[1-a b]", "test_p[1-a c]", "test_p[2]", "test_p[[]"),
		"tests/test_p.py::test_p[1-a":  p("test_p[1-a b]", "test_p[1-a c]"),
		"tests/test_p.py::test_p[1-a]": {},
		"tests.test_p::test_p[2]":      p("test_p[2]"),
		"test_p[1-a b]":                p("test_p[1-a b]"),
		"tests/test_p.py::test_p[[]":   p("test_p[[]"),
		"tests/test_err.py":            {"tests/test_err.py"},
		"":                             {},
		"[":                            {},
		"::":                           {},
		".":                            {},
	})
}

func TestMatchJavaIDs(t *testing.T) {
	known := []string{
		"com.x.TestFoo::testBar",
		"com.x.TestFoo::testBaz",
		"com.x.TestFoo$Inner::deep",
		"com.x.OtherTest::testBar",
		"com.x.OtherTest::odd[1]",
		"com.x.OtherTest::odd[2]",
		"com.x.OtherTest::odd[10]",
		"com.x.TestFooBar::other",
	}
	checkMatches(t, Java, known, map[string][]string{
		"com.x.TestFoo::testBar":             {known[0]},
		"com.x.TestFoo.testBar":              {known[0]},
		"com.x.TestFoo#testBar":              {known[0]},
		"com.x.TestFoo > testBar()":          {known[0]},
		"testBar(com.x.TestFoo)":             {known[0]},
		"testBar":                            {known[0], known[3]},
		"TestFoo.testBar":                    {known[0]},
		"com.x.TestFoo":                      {known[0], known[1], known[2]},
		"TestFoo":                            {known[0], known[1], known[2]},
		"com.x.TestFoo$Inner":                {known[2]},
		"com.x.TestFoo.Inner.deep":           {known[2]},
		"src/test/java/com/x/OtherTest.java": {known[3], known[4], known[5], known[6]},
		"com.x.OtherTest.odd(int)[1]":        {known[4]},
		"com.x.OtherTest::odd{int}[2]":       {known[5]},
		"com.x.OtherTest.odd":                {known[4], known[5], known[6]},
		"com.x.OtherTest.odd[1":              {known[4], known[6]},
		"com.x.Unknown":                      {},
		"Foo":                                {},
		"com.y.TestFoo.testBar":              {},
	})
}

func TestMatchCppIDs(t *testing.T) {
	known := []string{
		"format_test.escape", "format_test.utf8", "other_test.escape",
		"Nums/P.Odd/0", "Nums/P.Odd/1", "Ty/0.Size", "Ty/1.Size",
		"element access/object", "element access/object/access specified element", "json::parse a/b", "Case", "Case/ blank / x",
		"test-unicode",
	}
	checkMatches(t, Cpp, known, map[string][]string{
		"format_test.escape":                 {known[0]},
		"format_test::escape":                {known[0]},
		"format_test":                        {known[0], known[1]},
		"escape":                             {known[0], known[2]},
		"Nums/P::Odd/1":                      {known[4]},
		"Nums/P.Odd/1, where GetParam() = 2": {known[4]},
		"P.Odd":                              {known[3], known[4]},
		"P::Odd":                             {known[3], known[4]},
		"Nums/P":                             {known[3], known[4]},
		"Ty.Size":                            {known[5], known[6]},
		"Ty/1::Size":                         {known[6]},
		"element access":                     {known[7], known[8]},
		"element access/ object ":            {known[7]},
		"element access/object/access specified element ": {known[8]},
		"exe.global::element access/object":               {known[7]},
		"exe.global::json::parse a/b":                     {known[9]},
		"json::parse a/b":                                 {known[9]},
		"Case":                                            {known[10]},
		"case":                                            {known[10]},
		"Case/blank/x":                                    {known[11]},
		"test-unicode":                                    {known[12]},
		"unicode":                                         {},
		"element":                                         {},
		"":                                                {},
	})
}

func checkMatches(t *testing.T, language string, known []string, want map[string][]string) {
	t.Helper()
	published := make([]string, 0, len(want))
	for p := range want {
		published = append(published, p)
	}
	got := MatchIDs((*Registry)(nil).Named(language), published, known)
	require.Len(t, got, len(want))
	for p, ids := range want {
		slices.Sort(ids)
		require.ElementsMatch(t, ids, got[p], "of %q", p)
		require.True(t, slices.IsSorted(got[p]))
	}
}

// TestMatchManyIDs checks that matching does not grow with the square of its
// input: matching 50,000 ids to 50,000 takes well under a minute even when
// all share their ends.
func TestMatchManyIDs(t *testing.T) {
	for _, tc := range []struct{ language, known, published string }{
		{Python, "tests/pkg%d/test_mod.py::TestClass::test_x[%d]", "tests.pkg%d.test_mod.TestClass::test_x[%d]"},
		{Python, "tests/test_mod.py::test_x[%d-%d]", "tests.test_mod::test_x[%d-%d]"},
		{Java, "com.x.Class%dTest::method%d", "com.x.Class%dTest.method%d"},
		{Cpp, "Suite%d.Name%d", "Suite%d::Name%d"},
		{Cpp, "case %d/section %d", "exe::case %d/section %d "},
	} {
		var known, published []string
		for i := range 50000 {
			known = append(known, fmt.Sprintf(tc.known, i, i))
			published = append(published, fmt.Sprintf(tc.published, i, i))
		}
		got := MatchIDs((*Registry)(nil).Named(tc.language), published, known)
		for i, p := range published {
			require.Equal(t, known[i:i+1], got[p])
		}
	}
}

func BenchmarkMatchIDs(b *testing.B) {
	var known, published []string
	for i := range 50000 {
		known = append(known, fmt.Sprintf("tests/pkg%d/test_mod%d.py::TestClass::test_x%d[%d]", i%100, i%1000, i%7000, i))
		published = append(published, fmt.Sprintf("tests.pkg%d.test_mod%d.TestClass::test_x%d[%d]", i%100, i%1000, i%7000, i))
	}
	for b.Loop() {
		MatchIDs(pythonLanguage{}, published, known)
	}
}

func TestUnstableID(t *testing.T) {
	for _, id := range []string{
		"a.py::t[<object at 0x7f3a1c2b4d50>]", "a.py::t[0x7ffd1c2b4d50]", "a.py::t[<function <lambda> at 0x10a2b3c4d>]",
		"a.py::t[/tmp/tmpab12cd_9/x]", "a.py::t[/private/var/folders/aa/b]", "a.py::t[tmpab12cd_9]",
		"a.py::t[2024-05-01 12:34:56.789012]", "a.py::t[2024-05-01T12:34:56.7Z]", "a.py::t[Wed May  1 12:34:56 2024]",
		"a.py::t[1714567890.123456]", "C::t[1] com.x.Foo@1b2c3d4e", "C::t[[I@6d06d69c]", "test_x (0.03s)", "test_x (12 ms)",
		"a.py::t[http://localhost:43512/]", "a.py::t[127.0.0.1:54321]", "worker pid=4242",
	} {
		require.True(t, UnstableID(id), id)
	}
	for _, id := range []string{
		"tests/test_a.py::TestB::test_c[param-1]", "a.py::t[0xdeadbeef]", "a.py::t[0x7fffffff]", "a.py::t[0x7fffffffffff]",
		"a.py::t[2020-01-01]", "a.py::t[2020-01-01T00:00:00]", "a.py::t[12:00:00.000]", "a.py::t[10s]", "a.py::t[1.5 s]",
		"a.py::t[user@deadbeef.org]", "com.x.TestFoo::test[1]", "Suite.Time12_30", "a.py::t[http://localhost:8080]",
		"tests/tmp/test_a.py::test", "a.py::test_tmpdir", "a.py::t[1500000000]", "case/at 0x", "",
	} {
		require.False(t, UnstableID(id), id)
	}
}

func FuzzMatchIDs(f *testing.F) {
	f.Add("a.b::c", "a/b.py::c\na/b.py::c[1]")
	f.Add("c[1", "a/b.py::c[1 2]")
	f.Add("x.Y$Z > m(int)[1]", "x.Y$Z::m[1]")
	f.Add("A/B::C/0", "A/B.C/0\nA/0.C")
	f.Add("test (a.b)", "a/b.py::test")
	f.Fuzz(func(t *testing.T, published, list string) {
		known := strings.Split(list, "\n")
		for _, language := range []string{Python, Java, Cpp} {
			got := MatchIDs((*Registry)(nil).Named(language), append([]string{published}, known...), known)
			for _, k := range known {
				require.Equal(t, []string{k}, got[k], "an exact match wins")
			}
			for _, id := range got[published] {
				require.Contains(t, known, id)
			}
			require.True(t, slices.IsSorted(got[published]))
		}
		UnstableID(published)
	})
}

func TestUnstableIDsMatchByPattern(t *testing.T) {
	known := []string{
		"tests/test_a.py::test_x[<Y object at 0x7f1234567890>-1]", "tests/test_a.py::test_x[<Y object at 0x7f1234567890>-2]",
		"tests/test_a.py::test_path[/tmp/tmpabcd1234/f]", "tests/test_a.py::test_x[plain]",
	}
	published := "tests/test_a.py::test_x[<Y object at 0x7fffffff0000>-1]"
	require.Equal(t, known[:1], MatchIDs(pythonLanguage{}, []string{published}, known)[published])
	path := "tests/test_a.py::test_path[/tmp/tmpzzzz9999/f]"
	require.Equal(t, known[2:3], MatchIDs(pythonLanguage{}, []string{path}, known)[path])
	other := "tests/test_a.py::test_x[<Z object at 0x7fffffff0000>-1]"
	require.Empty(t, MatchIDs(pythonLanguage{}, []string{other}, known)[other])
}
