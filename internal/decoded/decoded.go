// Package decoded reads JSON that was decoded into any. What has another type,
// or is absent, is empty.
package decoded

// Object is v as an object.
func Object(v any) map[string]any {
	o, _ := v.(map[string]any)
	return o
}

// List is v as a list.
func List(v any) []any {
	l, _ := v.([]any)
	return l
}

// Text is v as a text.
func Text(v any) string {
	s, _ := v.(string)
	return s
}

// Bool is v as a truth value.
func Bool(v any) bool {
	b, _ := v.(bool)
	return b
}

// First is the value of the first name that an object has: some have two
// spellings.
func First(o map[string]any, names ...string) any {
	for _, name := range names {
		if v, ok := o[name]; ok {
			return v
		}
	}
	return nil
}
