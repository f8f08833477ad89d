package bench_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

func TestDuplicates(t *testing.T) {
	record := func(fields map[string]any) string { return string(minimal(fields)) }
	good := record(nil)
	for _, tt := range []struct {
		name, content string
		lines         []int // of the records that are used
		want          []string
	}{
		{"none", good + "\n" + record(map[string]any{"instance_id": "b"}), []int{1, 2}, nil},
		{
			"the same", good + "\n\n" + good, []int{1},
			[]string{"d.json:3: a second record of acme__widgets-1 (the first: line 1), which holds the same; the first one is used"},
		},
		{
			"names in another order", `{"x":1,` + good[1:] + "\n" + strings.TrimSuffix(good, "}") + `, "x": 1}`, []int{1},
			[]string{"d.json:2: a second record of acme__widgets-1 (the first: line 1), which holds the same; the first one is used"},
		},
		{
			"spelled otherwise", good + "\n" + record(map[string]any{"instance_id": "acme/widgets:pr-1"}), []int{1},
			[]string{"d.json:2: a second record of acme__widgets-1 (the first: line 1), which holds the same; the first one is used"},
		},
		{
			"other content", good + "\n" + record(map[string]any{"version": "2", "patch": "q", "more": 1}) + "\n" + good, []int{1},
			[]string{
				"d.json:2: a second record of acme__widgets-1 (the first: line 1), which differs in more, patch, version; the first one is used",
				"d.json:3: a second record of acme__widgets-1 (the first: line 1), which holds the same; the first one is used",
			},
		},
		{
			"an extra field less", record(map[string]any{"more": 1, "other": "x"}) + "\n" + record(map[string]any{"other": "y"}), []int{1},
			[]string{"d.json:2: a second record of acme__widgets-1 (the first: line 1), which differs in more, other; the first one is used"},
		},
		{
			"in a list", "[\n" + good + ",\n" + good + "\n]", []int{2},
			[]string{"d.json:3: a second record of acme__widgets-1 (the first: line 2), which holds the same; the first one is used"},
		},
		{
			"keyed, both without an id", `{"a__b-1":` + record(map[string]any{"instance_id": nil}) + ",\n\"a/b:1\":" + record(map[string]any{"instance_id": nil}) + "}", []int{1},
			[]string{"d.json:2: a second record of a__b-1 (the first: line 1), which holds the same; the first one is used"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := file(t, "d.json", tt.content)
			d, entries, err := index(t, path)
			require.NoError(t, err)
			var lines []int
			for _, e := range entries {
				lines = append(lines, e.Line)
			}
			require.Equal(t, tt.lines, lines)
			var got []string
			for _, dup := range d.Duplicates() {
				got = append(got, strings.ReplaceAll(dup.String(), filepath.Dir(path)+"/", ""))
			}
			require.Equal(t, tt.want, got)
		})
	}
}

// TestDuplicateOfBrokenRecord uses the first record that is valid.
func TestDuplicateOfBrokenRecord(t *testing.T) {
	broken, good := string(minimal(map[string]any{"repo": 1})), string(minimal(nil))
	d, entries, err := index(t, file(t, "d.jsonl", broken+"\n"+good+"\n"+broken))
	var problems *bench.Problems
	require.ErrorAs(t, err, &problems)
	require.Equal(t, 2, problems.Records, "a broken record is reported also where its id was seen before")
	require.Len(t, entries, 1)
	require.Equal(t, 2, entries[0].Line)
	require.Empty(t, d.Duplicates())
}
