package tasks

import (
	"assay/internal/registry"
	"assay/languages"
	"assay/style"
)

// Registry holds kinds in the order in which they were registered. The first
// is the default: predictions that name no kind are for it, and the results of
// reviews are compared with its results.
type Registry = registry.Registry[Kind]

// Default returns the kinds that come with assay, in the order of the OmniCode
// paper (section 3.2), with the linters of style tasks and the languages of
// instances; nil means those that come with assay.
func Default(linters *style.Linters, known *languages.Registry) *Registry {
	return registry.New[Kind]("task kind", Kind.Name, BugFix{known}, TestGen{Languages: known}, Review{known}, Style{Linters: linters, Languages: known})
}
