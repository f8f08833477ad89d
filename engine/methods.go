package engine

import (
	"assay/agents"
	"assay/methods"
	"assay/methods/fixer"
	"assay/methods/otter"
	"assay/methods/zeroshot"
)

// ownMethods are the methods that come with assay.
func ownMethods() []methods.Method {
	return []methods.Method{
		zeroshot.ZeroShot{}, zeroshot.ZeroShotPlus{}, zeroshot.Libro{},
		otter.ZeroShot{}, otter.Otter{}, otter.Otter{Plus: true}, fixer.Fixer{},
	}
}

// withMethods adds an agent for each method.
func withMethods(r *agents.Registry) *agents.Registry {
	for _, m := range ownMethods() {
		_ = r.Register(methods.Agent{Method: m}) // TestMethods reads them all
	}
	return r
}
