package languages

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLongLists: a list of tests that fits no variable and no argument does not
// go into one.
func TestLongLists(t *testing.T) {
	var few, many []string
	for i := range 2000 {
		many = append(many, fmt.Sprintf("SuiteOfManyTests.TestNumber%d", i))
	}
	few = many[:2]
	require.Contains(t, gtestFilter(few, nil), "SuiteOfManyTests.TestNumber1:")
	require.Empty(t, gtestFilter(many, nil))
}
