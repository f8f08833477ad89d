package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// readTask reads the files of one task. A file that is absent leaves its
// field empty, which the instance's own check reports where that matters.
func readTask(root *os.Root, name string) *task {
	t := &task{fields: map[string]json.RawMessage{}, id: filepath.Base(path.Join(root.Name(), name))}
	t.metadata(root, path.Join(name, "task.yaml"))
	for _, f := range []struct{ file, field string }{
		{"gold.patch", "patch"}, {"test.patch", "test_patch"}, {"eval.sh", "eval_script"},
		{"problem_statement.md", "problem_statement"}, {"hints.md", "hints_text"},
	} {
		t.text(root, path.Join(name, f.file), f.field)
	}
	t.tests(root, path.Join(name, "tests.json"))
	return t
}

// read returns the text of a file, and false where there is none or it is
// wrong.
func (t *task) read(root *os.Root, name string) ([]byte, bool) {
	info, err := root.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false
	}
	var text []byte
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = errors.New("not a regular file")
	case info.Size() > maxRecord:
		err = fmt.Errorf("%d bytes", info.Size())
	default:
		text, err = root.ReadFile(name)
	}
	if err != nil {
		t.fail(path.Base(name), &FieldError{Expected: fmt.Sprintf("a file of at most %d bytes", maxRecord), Got: err.Error()})
		return nil, false
	}
	if !utf8.Valid(text) {
		t.fail(path.Base(name), notUTF8(text, place{1, 1}))
		return nil, false
	}
	return text, true
}

// text takes a whole file as a field.
func (t *task) text(root *os.Root, name, field string) {
	text, ok := t.read(root, name)
	if !ok {
		return
	}
	t.put(name, field, string(text))
}

func (t *task) put(name, field string, value any) {
	raw, err := marshal(value)
	if err != nil {
		t.fail(path.Base(name), &FieldError{Field: field, Expected: "a value that JSON has, too", Got: err.Error()})
		return
	}
	t.fields[field] = raw
}

// tests takes the members of tests.json.
func (t *task) tests(root *os.Root, name string) {
	text, ok := t.read(root, name)
	if !ok {
		t.fail(path.Base(name), &FieldError{Expected: "a file of FAIL_TO_PASS and PASS_TO_PASS", Got: "none"})
		return
	}
	raw, wrong := wellFormed(text, place{1, 1})
	if wrong != nil {
		t.fail(path.Base(name), wrong)
		return
	}
	r, wrong := newRecord(raw, "")
	if wrong != nil {
		t.fail(path.Base(name), wrong)
		return
	}
	for field, value := range r.extra() {
		t.fields[field] = value
	}
}

// metadata takes the members of task.yaml. Where it is used, a task's split
// and datasets describe what is published; they are not fields of an
// instance.
func (t *task) metadata(root *os.Root, name string) {
	text, ok := t.read(root, name)
	if !ok {
		return
	}
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		t.fail(path.Base(name), &FieldError{Expected: "YAML", Got: yaml.FormatError(err, false, false)})
		return
	}
	for _, doc := range file.Docs {
		values, ok := mappingOf(doc.Body)
		if !ok {
			t.fail(path.Base(name), &FieldError{Expected: "a mapping", Got: "another value"})
			return
		}
		for _, v := range values {
			t.member(name, v)
		}
	}
}

func mappingOf(body ast.Node) ([]*ast.MappingValueNode, bool) {
	switch n := body.(type) {
	case nil:
		return nil, true
	case *ast.MappingNode:
		return n.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, true
	}
	return nil, false
}

// member takes one member of task.yaml.
func (t *task) member(name string, v *ast.MappingValueNode) {
	field := v.Key.GetToken().Value
	fail := func(expected string) {
		t.fail(path.Base(name), &FieldError{Line: v.Key.GetToken().Position.Line, Field: field, Expected: expected, Got: "another value"})
	}
	switch field {
	case "split":
		if yaml.NodeToValue(v.Value, &t.split) != nil {
			fail("a name")
		}
		return
	case "datasets":
		if yaml.NodeToValue(v.Value, &t.datasets) != nil {
			fail("a list of names")
		}
		return
	}
	// A number is kept as it is written: version 3.10 is not 3.1, and an id or
	// a commit may be all digits.
	switch n := v.Value.(type) {
	case *ast.IntegerNode, *ast.FloatNode:
		digits := n.GetToken().Value
		if isNumber([]byte(digits)) && json.Valid([]byte(digits)) && !isTextField(field) {
			t.fields[field] = json.RawMessage(digits)
			return
		}
		t.put(name, field, digits)
		return
	}
	var value any
	if err := yaml.NodeToValue(v.Value, &value); err != nil {
		fail("a value")
		return
	}
	t.put(name, field, value)
}

// isTextField reports whether an instance's field of that name holds text.
func isTextField(name string) bool {
	instance := reflect.TypeFor[Instance]()
	for i := range instance.NumField() {
		f := instance.Field(i)
		if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); tag == name {
			return f.Type.Kind() == reflect.String
		}
	}
	return false
}
