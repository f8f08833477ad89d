package bench_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

var update = flag.Bool("update", false, "write the schemas anew")

// TestSchemas compares the checked-in schemas with the types and their
// comments.
func TestSchemas(t *testing.T) {
	types := map[string]reflect.Type{
		"instance":   reflect.TypeFor[bench.Instance](),
		"prediction": reflect.TypeFor[bench.Prediction](),
		"result":     reflect.TypeFor[bench.Result](),
	}
	require.Len(t, bench.SchemaNames(), len(types))
	for _, name := range bench.SchemaNames() {
		t.Run(name, func(t *testing.T) {
			g := &generator{source: readSource(t), defs: map[string]any{}}
			schema := g.object(types[name])
			schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
			schema["title"] = "assay " + name
			if len(g.defs) > 0 {
				schema["$defs"] = g.defs
			}
			var want bytes.Buffer
			enc := json.NewEncoder(&want)
			enc.SetEscapeHTML(false)
			enc.SetIndent("", "  ")
			require.NoError(t, enc.Encode(schema))
			if *update {
				require.NoError(t, os.WriteFile("schema/"+name+".json", want.Bytes(), 0o644))
				t.Skip("written; run again to check")
			}
			got, err := bench.Schema(name)
			require.NoError(t, err)
			require.Equal(t, want.String(), string(got), "the types changed: run the tests of this package with -update")
		})
	}
}

func TestSchemaOfUnknownName(t *testing.T) {
	_, err := bench.Schema("tasks")
	require.EqualError(t, err, `no schema "tasks": there are instance, prediction, result`)
}
