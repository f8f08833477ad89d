package reports

import (
	"encoding/json"
	"errors"
)

var errJSONShape = errors.New("unexpected JSON value")

// jsonObject reads an object and calls field for each key; field must read
// the value.
func jsonObject(dec *json.Decoder, field func(key string) error) error {
	if err := jsonDelim(dec, '{'); err != nil {
		return err
	}
	for dec.More() {
		tok, err := dec.Token()
		if err != nil {
			return err
		}
		key, ok := tok.(string)
		if !ok {
			return errJSONShape
		}
		if err := field(key); err != nil {
			return err
		}
	}
	return jsonDelim(dec, '}')
}

// jsonArray reads an array and calls element for each element, which it must
// read.
func jsonArray(dec *json.Decoder, element func() error) error {
	if err := jsonDelim(dec, '['); err != nil {
		return err
	}
	for dec.More() {
		if err := element(); err != nil {
			return err
		}
	}
	return jsonDelim(dec, ']')
}

func jsonDelim(dec *json.Decoder, want json.Delim) error {
	tok, err := dec.Token()
	if err != nil {
		return err
	}
	if tok != want {
		return errJSONShape
	}
	return nil
}

func skipJSON(dec *json.Decoder) error {
	var v json.RawMessage
	return dec.Decode(&v)
}
