package tasks

import (
	"fmt"
	"strings"
)

// Registry holds kinds in the order in which they were registered, which is
// the order of all output.
type Registry struct {
	kinds []Kind
}

// Default returns the kinds that assay brings, in the order of the OmniCode
// paper (section 3.2).
func Default() *Registry {
	return &Registry{kinds: []Kind{BugFix{}, TestGen{}, Review{}, Style{}}}
}

// Register adds a kind; a name that is taken is refused.
func (r *Registry) Register(k Kind) error {
	if _, err := r.Lookup(k.Name()); err == nil {
		return fmt.Errorf("task kind %q is registered already", k.Name())
	}
	r.kinds = append(r.kinds, k)
	return nil
}

// Lookup returns the kind of that name.
func (r *Registry) Lookup(name string) (Kind, error) {
	for _, k := range r.kinds {
		if k.Name() == name {
			return k, nil
		}
	}
	return nil, fmt.Errorf("task kind %q is not known (known: %s)", name, strings.Join(r.Names(), ", "))
}

// Names lists the kinds in order.
func (r *Registry) Names() []string {
	names := make([]string, len(r.kinds))
	for i, k := range r.kinds {
		names[i] = k.Name()
	}
	return names
}
