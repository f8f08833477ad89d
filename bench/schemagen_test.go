package bench_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// source holds what the schemas need in addition to the types: the doc
// comments of types and fields, and the constants of the string types.
type source struct {
	docs  map[string]string // "Type" or "Type.Field"
	enums map[string][]any
}

// readSource parses the files that hold the types.
func readSource(t *testing.T) source {
	s := source{docs: map[string]string{}, enums: map[string][]any{}}
	for _, name := range []string{"instance.go", "prediction.go", "result.go", "review.go", "style.go", "test.go", "testgen.go"} {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments)
		require.NoError(t, err)
		for _, decl := range file.Decls {
			if gen, ok := decl.(*ast.GenDecl); ok {
				for _, spec := range gen.Specs {
					s.spec(gen, spec)
				}
			}
		}
	}
	return s
}

func (s source) spec(gen *ast.GenDecl, spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		s.docs[spec.Name.Name] = sentence(gen.Doc.Text())
		if st, ok := spec.Type.(*ast.StructType); ok {
			for _, field := range st.Fields.List {
				for _, name := range field.Names {
					s.docs[spec.Name.Name+"."+name.Name] = sentence(field.Doc.Text() + field.Comment.Text())
				}
			}
		}
	case *ast.ValueSpec:
		typ, ok := spec.Type.(*ast.Ident)
		if !ok || gen.Tok != token.CONST {
			return
		}
		for _, v := range spec.Values {
			if lit, ok := v.(*ast.BasicLit); ok {
				text, _ := strconv.Unquote(lit.Value)
				s.enums[typ.Name] = append(s.enums[typ.Name], text)
			}
		}
	}
}

func sentence(doc string) string {
	return strings.TrimSpace(regexp.MustCompile(`\s+`).ReplaceAllString(doc, " "))
}

// generator makes the schema of one type; defs holds those that it refers to.
type generator struct {
	source
	defs map[string]any
}

// of returns the schema of a type, as it is referred to.
func (g *generator) of(t reflect.Type) map[string]any {
	switch t.Kind() {
	case reflect.Pointer:
		return g.of(t.Elem())
	case reflect.String:
		out := map[string]any{"type": "string"}
		if values := g.enums[t.Name()]; len(values) > 0 {
			out["enum"] = values
		}
		return out
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Slice:
		return g.list(t)
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": g.of(t.Elem())}
	}
	if _, ok := g.defs[t.Name()]; !ok {
		g.defs[t.Name()] = nil
		g.defs[t.Name()] = g.object(t)
	}
	return map[string]any{"$ref": "#/$defs/" + t.Name()}
}

func (g *generator) list(t reflect.Type) map[string]any {
	list := map[string]any{"type": "array", "items": g.of(t.Elem())}
	if t != reflect.TypeFor[bench.TestIDs]() {
		return list
	}
	return map[string]any{"anyOf": []any{
		list,
		map[string]any{"type": "string", "description": "JSON text of such a list, or empty"},
		map[string]any{"type": "null"},
	}}
}

// object describes a struct. assay's own objects reject unknown fields; those
// with a field Extra keep them.
func (g *generator) object(t reflect.Type) map[string]any {
	properties, required := map[string]any{}, []any{}
	_, open := t.FieldByName("Extra")
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		one := g.of(f.Type)
		if doc := g.docs[t.Name()+"."+f.Name]; doc != "" {
			one["description"] = doc
		}
		if options == "" {
			required = append(required, name)
			one = nullable(one, f.Type)
		}
		properties[name] = one
	}
	out := map[string]any{
		"type": "object", "properties": properties, "additionalProperties": open,
		"description": g.docs[t.Name()],
	}
	if list := requiredOf(t, required); len(list) > 0 {
		out["required"] = list
	}
	if t == reflect.TypeFor[bench.Instance]() {
		out["anyOf"] = []any{
			map[string]any{"required": []any{"base_commit"}},
			map[string]any{"required": []any{"image"}},
		}
	}
	return out
}

// nullable lets a field that is always written be null, where Go's zero value
// is written so, or where the field's comment allows it.
func nullable(schema map[string]any, t reflect.Type) map[string]any {
	doc, _ := schema["description"].(string)
	nilIsNull := t.Kind() == reflect.Slice || t.Kind() == reflect.Map || t.Kind() == reflect.Pointer
	if kind, ok := schema["type"].(string); ok && (nilIsNull || strings.Contains(doc, "null is read")) {
		schema["type"] = []any{kind, "null"}
	}
	return schema
}

// requiredOf returns what a reader demands: of instances and predictions
// less than what is always written.
func requiredOf(t reflect.Type, written []any) []any {
	switch t {
	case reflect.TypeFor[bench.Instance]():
		return []any{"instance_id", "repo", "patch", "test_patch"}
	case reflect.TypeFor[bench.Prediction]():
		return []any{"instance_id", "model_patch"}
	case reflect.TypeFor[bench.Env](), reflect.TypeFor[bench.Provenance]():
		return nil
	case reflect.TypeFor[bench.BadPatch](), reflect.TypeFor[bench.GoodVariant]():
		return []any{"patch"}
	}
	sort.Slice(written, func(i, j int) bool { return written[i].(string) < written[j].(string) })
	return written
}
