package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// record is a JSON object that is being decoded: fields holds what has not
// been taken yet, errs what was wrong with what has.
type record struct {
	fields map[string]json.RawMessage
	path   string // of this object in its record, with a trailing dot; empty at the top
	errs   []*FieldError
	// languages that an instance can have; set in its own record only.
	languages Languages
}

// newRecord splits an object; any other value is an error of the field at
// path.
func newRecord(raw []byte, path string) (*record, *FieldError) {
	fields, err := members(raw)
	if err != nil {
		return nil, &FieldError{Field: path, Expected: "an object", Got: describe(raw)}
	}
	if path != "" {
		path += "."
	}
	return &record{fields: fields, path: path}, nil
}

// has reports whether a field is there and not null.
func (r *record) has(name string) bool {
	raw, ok := r.fields[name]
	return ok && string(raw) != "null"
}

// take returns a field and removes it. A field that is null counts as absent.
func (r *record) take(name string) (json.RawMessage, bool) {
	ok := r.has(name)
	raw := r.fields[name]
	delete(r.fields, name)
	return raw, ok
}

func (r *record) fail(name, expected string, raw []byte) {
	r.errs = append(r.errs, &FieldError{Field: r.path + name, Expected: expected, Got: describe(raw)})
}

// text takes a field that holds a string.
func (r *record) text(name, expected string) string {
	raw, ok := r.take(name)
	if !ok {
		return ""
	}
	s, err := unquote(raw)
	if err != nil {
		r.fail(name, expected, raw)
	}
	return s
}

// textOrNumber takes a field that holds a string, or a number in its place.
func (r *record) textOrNumber(name string) string {
	raw, ok := r.take(name)
	if !ok {
		return ""
	}
	if isNumber(raw) {
		return string(raw)
	}
	s, err := unquote(raw)
	if err != nil {
		r.fail(name, "a string or a number", raw)
	}
	return s
}

// index takes a field that holds a whole number from 0 on.
func (r *record) index(name string, absent int) int {
	raw, ok := r.take(name)
	if !ok {
		return absent
	}
	n, err := strconv.Atoi(string(raw))
	if err != nil || n < 0 {
		r.fail(name, "a whole number from 0 on", raw)
	}
	return n
}

// number takes a field that holds a number.
func (r *record) number(name string) float64 {
	raw, ok := r.take(name)
	if !ok {
		return 0
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || !isNumber(raw) {
		r.fail(name, "a number", raw)
	}
	return f
}

func isNumber(raw []byte) bool {
	return len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9')
}

// strict decodes a field into one of assay's structs. A name that the struct
// does not have is an error: it is a typo, and its value would be lost.
func (r *record) strict(name string, into any) bool {
	raw, ok := r.take(name)
	if !ok {
		return false
	}
	sub, wrong := newRecord(raw, r.path+name)
	if wrong != nil {
		r.errs = append(r.errs, wrong)
		return false
	}
	known := jsonNames(reflect.TypeOf(into).Elem())
	for _, field := range sortedKeys(sub.fields) {
		if !known[field] {
			sub.fail(field, "one of "+strings.Join(sortedKeys(known), ", "), nil)
			sub.errs[len(sub.errs)-1].Got = "a field of another name"
		}
	}
	if bytes.Contains(raw, []byte(`\u`)) && !surrogatesPaired(raw) {
		r.fail(name, "text in UTF-8", nil)
		r.errs[len(r.errs)-1].Got = "half a surrogate pair"
	}
	r.errs = append(r.errs, sub.errs...)
	if err := json.Unmarshal(raw, into); err != nil {
		r.errs = append(r.errs, typeError(r.path+name, err))
	}
	return true
}

// typeError turns encoding/json's error into one that names the field.
func typeError(path string, err error) *FieldError {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return &FieldError{Field: path, Expected: "an object", Got: err.Error()}
	}
	if wrong.Field != "" {
		path += "." + wrong.Field
	}
	return &FieldError{Field: path, Expected: describeType(wrong.Type), Got: "a JSON " + wrong.Value}
}

func describeType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Int:
		return "a whole number"
	case reflect.Slice:
		return "a list of strings"
	case reflect.Map:
		return "an object of strings"
	}
	return fmt.Sprintf("a %s", t.Kind())
}

// surrogatesPaired reports whether every string in raw can be unquoted.
func surrogatesPaired(raw []byte) bool {
	for i := 0; i < len(raw); i++ {
		if raw[i] != '"' {
			continue
		}
		end := skipString(raw, i)
		if _, err := unquote(raw[i:end]); err != nil {
			return false
		}
		i = end - 1
	}
	return true
}

// extra returns what was not taken, without the white space around it, or nil.
func (r *record) extra() map[string]json.RawMessage {
	if len(r.fields) == 0 {
		return nil
	}
	out := make(map[string]json.RawMessage, len(r.fields))
	for name, raw := range r.fields {
		var b bytes.Buffer
		b.Grow(len(raw))
		if json.Compact(&b, raw) == nil {
			out[name] = b.Bytes()
		}
	}
	return out
}

// jsonNames returns the JSON names of a struct's fields.
func jsonNames(t reflect.Type) map[string]bool {
	out := make(map[string]bool, t.NumField())
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name != "-" && name != "" {
			out[name] = true
		}
	}
	return out
}
