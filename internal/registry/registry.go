// Package registry holds parts of one sort by name: kinds of task, languages,
// linters, agents.
package registry

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Registry holds parts in the order in which they were registered, which is
// the order of all output. It is filled before it is used: reading it is safe
// for concurrent use, registering is not. A nil registry is empty; Register
// needs one that is not nil.
type Registry[T any] struct {
	sort  string
	name  func(T) string
	parts []T
}

// New returns a registry. The sort is what errors call a part: "task kind".
// Parts of the same name are a mistake of the program: the first one counts.
func New[T any](sort string, name func(T) string, parts ...T) *Registry[T] {
	r := &Registry[T]{sort: sort, name: name}
	for _, p := range parts {
		_ = r.Register(p)
	}
	return r
}

// Register adds a part. A name that is empty or taken is an error.
func (r *Registry[T]) Register(part T) error {
	name := r.name(part)
	if name == "" {
		return fmt.Errorf("a %s without a name cannot be registered", r.sort)
	}
	if r.index(name) >= 0 {
		return fmt.Errorf("%s %q is registered already", r.sort, name)
	}
	r.parts = append(r.parts, part)
	return nil
}

// Lookup returns the part of that name.
func (r *Registry[T]) Lookup(name string) (T, error) {
	if i := r.index(name); i >= 0 {
		return r.parts[i], nil
	}
	var none T
	if r == nil {
		return none, fmt.Errorf("%q is not known: nothing is registered", name)
	}
	return none, fmt.Errorf("%s %q is not known (known: %s)", r.sort, name, strings.Join(r.Names(), ", "))
}

// All lists the parts in order.
func (r *Registry[T]) All() []T {
	if r == nil {
		return nil
	}
	return slices.Clone(r.parts)
}

// Names lists their names in order.
func (r *Registry[T]) Names() []string {
	if r == nil {
		return nil
	}
	names := make([]string, len(r.parts))
	for i, p := range r.parts {
		names[i] = r.name(p)
	}
	return names
}

// With returns a copy in which a part takes the place of the one of its name.
// A name that is not registered is an error.
func (r *Registry[T]) With(part T) (*Registry[T], error) {
	if r == nil {
		return nil, errors.New("a part of an empty registry cannot be replaced")
	}
	i := r.index(r.name(part))
	if i < 0 {
		_, err := r.Lookup(r.name(part))
		return nil, err
	}
	out := *r
	out.parts = slices.Clone(r.parts)
	out.parts[i] = part
	return &out, nil
}

func (r *Registry[T]) index(name string) int {
	if r == nil {
		return -1
	}
	return slices.IndexFunc(r.parts, func(p T) bool { return r.name(p) == name })
}
