package bench

import (
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"
)

// checkUTF8 finds text that is not UTF-8 in the exported fields of v. JSON
// can't hold such text: encoding/json would write U+FFFD in its place.
func checkUTF8(path string, v any) error { return walkText(path, reflect.ValueOf(v)) }

func walkText(path string, v reflect.Value) error {
	switch v.Kind() {
	case reflect.String:
		if !utf8.ValidString(v.String()) {
			return &FieldError{Field: path, Expected: "UTF-8", Got: "other bytes"}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			return walkText(path, v.Elem())
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return walkText(path, reflect.ValueOf(string(v.Bytes())))
		}
		for i := range v.Len() {
			if err := walkText(fmt.Sprintf("%s[%d]", path, i), v.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if err := walkText(path, it.Key()); err != nil {
				return err
			}
			if err := walkText(path+"."+it.Key().String(), it.Value()); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if err := walkText(fieldPath(path, v.Type().Field(i)), v.Field(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// fieldPath is the path of a struct's field, by its JSON name where it has one.
func fieldPath(path string, f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "" || name == "-" {
		name = f.Name
	}
	if path == "" {
		return name
	}
	return path + "." + name
}
