package proxy

import (
	"strings"

	"assay/internal/decoded"
)

// pieces is a text that grows, inside decoded JSON.
type pieces struct{ strings.Builder }

// appendText makes the member a text that ends in more.
func appendText(into map[string]any, name, more string) {
	p, growing := into[name].(*pieces)
	if !growing {
		p = &pieces{}
		p.WriteString(decoded.Text(into[name]))
		into[name] = p
	}
	p.WriteString(more)
}

// joined is decoded JSON with plain texts; v stays as it is.
func joined(v any) any {
	switch v := v.(type) {
	case *pieces:
		return v.String()
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = joined(e)
		}
		return out
	case map[string]any:
		return joinedObject(v)
	}
	return v
}

func joinedObject(o map[string]any) map[string]any {
	out := make(map[string]any, len(o))
	for name, e := range o {
		out[name] = joined(e)
	}
	return out
}
