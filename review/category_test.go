package review

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

func TestCategory(t *testing.T) {
	base := "def one():\n    return 1\n\n\ndef two():\n    return 2\n"
	gold := replaced(base, "return 1", "return 10")
	crash := []bench.Test{{ID: "t.py::test_a", Status: bench.Failed, Message: "KeyError: 'x'"}}
	for _, test := range []struct {
		name, bad, category string
		failing             []bench.Test
		want                string
	}{
		{"only more than needed", replaced(base, "return 1", "return 10", "return 2", "return 20"), "", nil, Scope},
		{"wrong value", replaced(base, "return 1", "return 11"), "", nil, Functional},
		{"crash", replaced(base, "return 1", "return x['x']"), "", crash, ErrorHandling},
		{"wrong layer by its category", replaced(base, "return 1", "return 11"), "A", nil, Design},
		{"partial by its category", replaced(base, "return 1", "return 11"), " b", crash, Functional},
		{"undisciplined by its category", replaced(base, "return 1", "return 11"), "C", nil, Scope},
		{"contract by its category", replaced(base, "return 1", "return 11"), "D", nil, Contract},
		{"guard by its category", replaced(base, "return 1", "return 11"), "E", nil, ErrorHandling},
		{"edge by its category", replaced(base, "return 1", "return 11"), "F", nil, Functional},
		{"unknown category", replaced(base, "return 1", "return 11"), "partial", nil, Functional},
	} {
		t.Run(test.name, func(t *testing.T) {
			in := smallInput("x", base, gold, test.bad)
			in.Bad.Category, in.FailToPass = test.category, test.failing
			s := study(t, in)
			require.Equal(t, test.want, s.Category())
			require.Equal(t, test.want, s.Deterministic(L3).Category)
			require.Contains(t, s.Deterministic(L3).Text, categoryAdvice(test.want))
		})
	}
	require.Equal(t, Design, subject(t, "cpp-ring").Category(), "other files than gold's")
}
