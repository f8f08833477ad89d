package syntax

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCovers(t *testing.T) {
	const py = "import pytest\n@pytest.mark.parametrize('x', [1])\ndef test_a(x): pass\ndef test_b(): pass\n" +
		"class TestC:\n    @parameterized.expand([1])\n    def test_e(self, x): pass\n"
	const java = "package p;\nclass T { @Test void a() {} }\nabstract class B { @Test void b() {} }\n"
	const gtest = "TEST(S, A) {\n}\nTEST_P(P, A) {\n}\nTYPED_TEST(Y, A) {\n}\n"
	const catch = "TEST_CASE(\"a\") {\n}\nTEMPLATE_TEST_CASE(\"t\", \"[x]\", int) {\n  SECTION(\"s\") {\n  }\n}\n"
	for _, tc := range []struct {
		language, src, id string
		covers, not       []string
	}{
		{"python", py, "x.py::test_a", []string{"x.py::test_a", "x.py::test_a[1]"}, []string{"x.py::test_ab", "x.py::test_a_1", "y.py::test_a"}},
		{"python", py, "x.py::test_b", []string{"x.py::test_b"}, []string{"x.py::test_b_0", "x.py"}},
		{"python", py, "x.py::TestC::test_e", []string{"x.py::TestC::test_e_0", "x.py::TestC::test_e_0_name"}, []string{"x.py::TestC::test_ee", "x.py::TestC::test_e_f"}},
		{"java", java, "p.T::a", []string{"p.T::a", "p.T::a[1]", "p.T::a(int)[1]"}, []string{"p.T::ab", "p.U::a", "p.T"}},
		{"java", java, "p.B::b", []string{"p.B::b", "p.Sub::b", "q.Other$Sub::b[2]"}, []string{"p.Sub::bc", "p.Sub::a", "p.Sub"}},
		{"cpp", gtest, "S.A", []string{"S.A"}, []string{"S.AB", "X/S.A/0", "S/0.A"}},
		{"cpp", gtest, "P.A", []string{"P.A", "Pre/P.A/0", "Pre/P.A/name"}, []string{"Pre/P.AB/0", "P/P2.A", "Pre/Q.A/0"}},
		{"cpp", gtest, "Y.A", []string{"Y/0.A", "Pre/Y/1.A", "Y/std::pair<a.b,c>.A"}, []string{"Y/0.AB", "Z/0.A"}},
		{"cpp", catch, "a", []string{"a", "a/section"}, []string{"ab", "a - int", "a<int>"}},
		{"cpp", catch, "t", []string{"t - int", "t<int>", "t - int/s"}, []string{"t2 - int", "t-int"}},
		{"cpp", catch, "t/s", []string{"t - int/s", "t<int>/s", "t - int/s/deeper"}, []string{"t - int", "t - int/s2"}},
	} {
		t.Run(tc.id, func(t *testing.T) {
			for _, test := range parse(t, tc.language, "x.py", tc.src) {
				if test.ID != tc.id {
					continue
				}
				for _, id := range tc.covers {
					require.True(t, test.Covers(id), id)
				}
				for _, id := range tc.not {
					require.False(t, test.Covers(id), id)
				}
				return
			}
			require.Fail(t, "no test "+tc.id)
		})
	}
}
