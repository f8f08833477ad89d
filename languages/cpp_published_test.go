package languages

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCppPublisher(t *testing.T) {
	repo := cppRepo{
		"test/format-test.cc": "TEST(FormatTest, Escape) {}\nTEST_F(Other, Name) {}\n",
		"tests/unit.cpp":      "TEST_CASE(\"regression tests\") { SECTION(\"issue 1\") {} }\nTEST_CASE_METHOD(Fix, \"with \\\"quotes\\\"\", \"[tag]\") {}\n",
		"src/lib.cc":          "",
	}
	for name, c := range map[string]struct {
		framework string
		ids       []string
		want      string
		files     []string
	}{
		"GoogleTest":               {"gtest", []string{"FormatTest.Escape", "Other.Name/3"}, idsFramework, []string{"test/format-test.cc"}},
		"GoogleTest in JUnit":      {"gtest", []string{"FormatTest::Escape"}, idsFramework, []string{"test/format-test.cc"}},
		"GoogleTest by a macro":    {"gtest", []string{"Generated.Name"}, idsFramework, nil},
		"targets":                  {"gtest", []string{"format-test", "posix-test"}, idsCTest, nil},
		"configure checks":         {"catch2", []string{"have_flag__wfloat_equal", "runtests"}, idsCTest, nil},
		"CTest names with colons":  {"catch2", []string{"list::reporters::output"}, idsCTest, nil},
		"sections":                 {"catch2", []string{"regression tests/issue 1", `with "quotes"`}, idsFramework, []string{"tests/unit.cpp"}},
		"sections in lower case":   {"doctest", []string{"Regression Tests"}, idsFramework, []string{"tests/unit.cpp"}},
		"both":                     {"gtest", []string{"FormatTest.Escape", "format-test"}, idsBoth, []string{"test/format-test.cc"}},
		"no framework, no choice":  {"ctest", []string{"FormatTest.Escape"}, idsCTest, []string{"test/format-test.cc"}},
		"a case made by a macro":   {"doctest", []string{"some case of a macro"}, idsFramework, nil},
		"nothing published at all": {"gtest", nil, idsFramework, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, d := cppPublisher(c.ids, c.framework, repo)
			require.Equal(t, c.want, got)
			require.Equal(t, c.want, d.Value)
			require.Equal(t, c.files, cppPublishedFiles(c.ids, repo))
		})
	}
}

func TestConfigureChecksMatch(t *testing.T) {
	known := []string{"configure: HAVE_FLAG_-Wcatch-value", "RunTests", "NoTest", "configure: HAVE_FLAG__ffile_prefix_map__testbed__"}
	got := MatchIDs(cppLanguage{}, []string{"have_flag_-wcatch-value", "runtests", "HAVE_FLAG_-Wcatch-value", "have_flag__ffile_prefix_map__home_catch2__"}, known)
	require.Equal(t, map[string][]string{
		"have_flag_-wcatch-value": {known[0]}, "HAVE_FLAG_-Wcatch-value": {known[0]}, "runtests": {"RunTests"},
		"have_flag__ffile_prefix_map__home_catch2__": {known[3]},
	}, got)
}

func TestMesonIDsMatch(t *testing.T) {
	known := []string{"add two", "tap", "tap/one"}
	for _, published := range []string{"add two", "calc:add two", "calc:fast / add two", "calc / add two", "fast+slow - calc:add two"} {
		require.Equal(t, map[string][]string{published: {"add two"}}, MatchIDs(cppLanguage{}, []string{published}, known), published)
	}
	require.Equal(t, map[string][]string{"calc / tap": {"tap"}}, MatchIDs(cppLanguage{}, []string{"calc / tap"}, known))
	require.Empty(t, MatchIDs(cppLanguage{}, []string{"calc / other", "std::add two"}, known)["calc / other"])
}
