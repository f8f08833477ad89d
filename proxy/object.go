package proxy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// object is a JSON object whose members keep their order and their bytes, so
// that a changed request is what the agent sent except for the change.
type object []member

type member struct {
	name  string
	value json.RawMessage
}

// parseObject reads an object. A name that occurs twice in one object, at any
// depth, is an error: the provider might read the other value than the one
// that was checked. At the top, names that differ in case or underscores only
// count as the same.
func parseObject(data []byte) (object, error) {
	if !json.Valid(data) {
		return nil, errors.New("a part of the request is not JSON")
	}
	return scanObject(data)
}

// scanObject is parseObject for data that is known to be JSON.
func scanObject(data []byte) (object, error) {
	s := &scanner{data: data}
	s.space()
	if s.peek() != '{' {
		return nil, errors.New("the request is not a JSON object")
	}
	var out object
	err := s.object(func(name string, value []byte) {
		out = append(out, member{name, value})
	})
	if err != nil {
		return nil, err
	}
	return out, out.distinct()
}

func (o object) distinct() error {
	seen := map[string]string{}
	for _, m := range o {
		if other, twice := seen[bare(m.name)]; twice {
			return fmt.Errorf("the request has both %q and %q", other, m.name)
		}
		seen[bare(m.name)] = m.name
	}
	return nil
}

// bare is a name without what some providers do not look at.
func bare(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// get returns the value of the first name that is there, nil without one.
func (o object) get(names ...string) json.RawMessage {
	for _, m := range o {
		if slices.Contains(names, m.name) {
			return m.value
		}
	}
	return nil
}

// text returns a string, "" where it is absent or something else.
func (o object) text(names ...string) string {
	var out string
	if json.Unmarshal(o.get(names...), &out) != nil {
		return ""
	}
	return out
}

// set replaces a value, also one whose name differs in case or underscores
// only, or appends it; o itself stays as it is.
func (o object) set(name string, value any) (object, error) {
	raw, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("changing %s of the request: %w", name, err)
	}
	out := slices.Clone(o)
	for i := range out {
		if bare(out[i].name) == bare(name) {
			out[i] = member{name, raw}
			return out, nil
		}
	}
	return append(out, member{name, raw}), nil
}

// without leaves the members out, in any spelling.
func (o object) without(names ...string) object {
	return slices.DeleteFunc(slices.Clone(o), func(m member) bool {
		return slices.ContainsFunc(names, func(name string) bool { return bare(name) == bare(m.name) })
	})
}

// MarshalJSON keeps order and bytes.
func (o object) MarshalJSON() ([]byte, error) { return o.bytes(), nil }

func (o object) bytes() []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(m.name)
		if err != nil {
			name = []byte(`""`) // cannot be: strings always encode
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(m.value)
	}
	b.WriteByte('}')
	return b.Bytes()
}
