package languages

import (
	"assay/bench"
	"assay/internal/registry"
)

// Registry holds languages by name, in the order of all output. A nil registry
// holds the languages that come with assay.
type Registry struct{ parts *registry.Registry[Language] }

// Default returns the languages that come with assay, in the order of the
// OmniCode paper.
func Default() *Registry {
	return &Registry{registry.New[Language]("language", nameOf, pythonLanguage{}, javaLanguage{}, cppLanguage{})}
}

func nameOf(l Language) string { return l.About().Name }

func (r *Registry) languages() *registry.Registry[Language] {
	if r == nil {
		return Default().parts
	}
	return r.parts
}

// Register adds a language. A name that is empty or taken is an error.
func (r *Registry) Register(l Language) error { return r.parts.Register(l) }

// Lookup returns the language of that name; one that is not registered is an
// error.
func (r *Registry) Lookup(name string) (Language, error) { return r.languages().Lookup(name) }

// Named returns the language of that name, or an unknown one: instances that
// have an image and a test command may be in any.
func (r *Registry) Named(name string) Language {
	if l, err := r.Lookup(name); err == nil {
		return l
	}
	return genericLanguage{name}
}

// Names lists the names.
func (r *Registry) Names() []string { return r.languages().Names() }

// Descriptors describe the languages, for those that read datasets.
func (r *Registry) Descriptors() bench.Languages {
	var out bench.Languages
	for _, l := range r.languages().All() {
		out = append(out, l.About())
	}
	return out
}

// of is the language of an instance; one that is not registered is an error
// where the instance needs one.
func (r *Registry) of(inst *bench.Instance) (Language, error) {
	if inst.Image != "" {
		return r.Named(inst.Language), nil
	}
	return r.Lookup(inst.Language)
}

// IsGeneric reports whether nothing is known of a language but its name.
func IsGeneric(l Language) bool {
	_, generic := l.(genericLanguage)
	return generic
}

// about describes a language that comes with assay.
func about(name string) bench.Language {
	l, _ := bench.KnownLanguages().Lookup(name)
	return l
}
