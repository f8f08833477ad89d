package bench

import (
	"bytes"
	"encoding/json"
	"strings"
)

const expectedTests = "a list of test ids, or a string that holds one"

// UnmarshalJSON accepts a list of strings, a string that holds such a list,
// an empty string and null.
func (ids *TestIDs) UnmarshalJSON(raw []byte) error {
	got, wrong := testIDs(raw)
	if wrong != nil {
		return wrong
	}
	*ids = got
	return nil
}

// MarshalJSON always writes a list, without HTML escapes.
func (ids TestIDs) MarshalJSON() ([]byte, error) {
	if ids == nil {
		return []byte("[]"), nil
	}
	return marshal([]string(ids))
}

// testIDs decodes a well-formed value; an empty list is nil.
func testIDs(raw []byte) (TestIDs, *FieldError) {
	raw = bytes.TrimSpace(raw)
	if string(raw) == "null" {
		return nil, nil
	}
	if text, err := unquote(raw); err == nil {
		text = strings.TrimSpace(text)
		if text == "" || text == "null" {
			return nil, nil
		}
		if !json.Valid([]byte(text)) || text[0] != '[' {
			return nil, &FieldError{Expected: expectedTests, Got: describe(raw)}
		}
		raw = []byte(text)
	}
	if len(raw) == 0 || raw[0] != '[' {
		return nil, &FieldError{Expected: expectedTests, Got: describe(raw)}
	}
	var ids TestIDs
	for _, element := range elements(raw) {
		id, err := unquote(element)
		if err != nil {
			return nil, &FieldError{Expected: expectedTests, Got: "a list with " + describe(element)}
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// tests takes a field that holds test ids.
func (r *record) tests(name string) TestIDs {
	raw, ok := r.take(name)
	if !ok {
		return nil
	}
	ids, wrong := testIDs(raw)
	if wrong != nil {
		wrong.Field = r.path + name
		r.errs = append(r.errs, wrong)
	}
	return ids
}
