package bench

import (
	"embed"
	"fmt"
	"strings"
)

// schemas are made from the types by the package's tests (see schema_test.go).
//
//go:embed schema/*.json
var schemas embed.FS

// SchemaNames returns the names that Schema knows, sorted.
func SchemaNames() []string { return []string{"instance", "prediction", "result"} }

// Schema returns the JSON Schema (draft 2020-12) of an instance, a
// prediction or a result, as assay writes it. The readers take more: see
// Instance.UnmarshalJSON and Prediction.UnmarshalJSON.
func Schema(name string) ([]byte, error) {
	data, err := schemas.ReadFile("schema/" + name + ".json")
	if err != nil {
		return nil, fmt.Errorf("no schema %q: there are %s", name, strings.Join(SchemaNames(), ", "))
	}
	return data, nil
}
