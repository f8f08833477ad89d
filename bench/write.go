package bench

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
)

// WriteInstance writes an instance as one line of JSON: known fields in the
// order of the struct, then the extra ones by name, and no HTML escapes, so
// that equal instances give equal bytes. Text that is not UTF-8 is an error.
func WriteInstance(w io.Writer, in Instance) error { return writeLine(w, in) }

// WritePrediction writes a prediction as one line of JSON. Text that is not
// UTF-8 is an error.
func WritePrediction(w io.Writer, p Prediction) error {
	if err := checkUTF8("model_patch", p.Patch); err != nil {
		return fmt.Errorf("writing prediction for %s: %w", p.InstanceID, err)
	}
	return writeLine(w, p)
}

// writeLine hands the whole line to w in one call.
func writeLine(w io.Writer, v any) error {
	line, err := marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}

// marshal is json.Marshal without HTML escapes.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// marshalWithExtra writes v, a struct, and then the extra fields.
func marshalWithExtra(v any, known map[string]bool, extra map[string]json.RawMessage) ([]byte, error) {
	line, err := marshal(v)
	if err != nil || len(extra) == 0 {
		return line, err
	}
	b := bytes.NewBuffer(bytes.TrimSuffix(line, []byte("}")))
	for _, name := range sortedKeys(extra) {
		if known[name] {
			return nil, fmt.Errorf("extra field %q has the name of a known one", name)
		}
		key, err := marshal(name)
		if err != nil {
			return nil, err
		}
		b.WriteByte(',')
		b.Write(key)
		b.WriteByte(':')
		if err := json.Compact(b, extra[name]); err != nil {
			return nil, fmt.Errorf("extra field %q: %w", name, err)
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
