package modelsource

import (
	"math/rand/v2"
	"slices"

	"assay/badpatch"
	"assay/llm/prompts"
)

// strategy is a way of being wrong that a model is asked for.
type strategy struct {
	prompts.Strategy
	short    string // as operators are called
	category badpatch.Category
	hints    []string
}

// someHints is how many hints go into a prompt: different ones in each sample
// make different mistakes.
const someHints = 3

// draw picks hints, in any order.
func (st strategy) draw(seed uint64, sample int) []string {
	hints := slices.Clone(st.hints)
	rng := rand.New(rand.NewPCG(seed, badpatch.Hash(st.short)+uint64(sample)))
	rng.Shuffle(len(hints), func(i, j int) { hints[i], hints[j] = hints[j], hints[i] })
	return hints[:min(someHints, len(hints))]
}

// strategies are the five groups of SWE-Mutation (arXiv 2605.22175), each with
// the category of OmniCode's appendix A that is nearest.
func strategies() []strategy {
	return []strategy{contractStrategy(), boundaryStrategy(), shapeStrategy(), stateStrategy(), expectationStrategy()}
}

// Category D names defaults, ordering and other established behaviour.
func contractStrategy() strategy {
	return strategy{prompts.Strategy{
		Name:        "A broken contract",
		Description: "The code keeps another promise than the one that its callers rely on: a default, the order of arguments, the type of an exception, an argument that must not change.",
	}, "contract", badpatch.Contract, []string{
		"a default value that fits the common call and no other",
		"two arguments of the same type in the wrong order in one call",
		"an exception of another type than callers expect, or one that is swallowed",
		"an argument that is changed although the caller still uses it",
		"a result that is not always of the kind that callers expect",
		"an option that is accepted and not handed on to where it counts",
		"results in another order, or no longer free of duplicates",
	}}
}

// Category F names slices that are off by one and what counts as empty.
func boundaryStrategy() strategy {
	return strategy{prompts.Strategy{
		Name:        "A missed boundary",
		Description: "The code is right in the middle of the range and wrong at its edge: one too far, an empty or missing value, a condition that is a little too wide or too narrow.",
	}, "boundary", badpatch.EdgeCase, []string{
		"a comparison that takes in, or leaves out, the limit itself",
		"a missing value that is treated like an empty one, or the reverse",
		"the first or the last element that is left out",
		"one part of a combined condition that is dropped, or joined by the wrong operator",
		"an input that is empty, or holds one element only",
		"zero or a negative number that is taken for no number",
		"a limit that is checked before the value changes and not after",
	}}
}

// Category F names representations, encodings and types.
func shapeStrategy() strategy {
	return strategy{prompts.Strategy{
		Name:        "A wrong type or shape",
		Description: "The code takes a value for another kind of value than it is: rounding, encodings, text for numbers, one element for many.",
	}, "shape", badpatch.EdgeCase, []string{
		"precision that is lost in a conversion",
		"text that is compared while case, blanks or escapes still differ",
		"a single value where a collection may come",
		"a signed, narrower or unsigned number",
		"a nested structure of which only the outer level is handled",
		"a subtype or a compatible type that a type check leaves out",
		"text escaped or decoded once too often, or not at all",
	}}
}

// Category E names caches and state that are not kept up.
func stateStrategy() strategy {
	return strategy{prompts.Strategy{
		Name:        "State that goes wrong",
		Description: "A single call is right, and a second one, another order, or a shared object is not: something is not reset, done twice, kept too long or copied too shallowly.",
	}, "state", badpatch.Guard, []string{
		"a value that is kept from the call before",
		"a shallow copy where a deep one is needed, or none at all",
		"a cache that is not made invalid, or has too coarse a key",
		"a step that is done before what it depends on",
		"a resource or a flag that is not set back on an early return or an error",
		"something done twice when the function is called twice",
		"a default or class-level object that all callers share",
	}}
}

// Category B is the fix that covers what the issue shows and not what it means.
func expectationStrategy() strategy {
	return strategy{prompts.Strategy{
		Name:        "Another expectation",
		Description: "The code handles the problem's own example and treats a related case by another rule than the problem asks for: a sibling that needs the same repair, a message, a format, a choice that is made implicitly.",
	}, "expectation", badpatch.Partial, []string{
		"the repair for one of several equal branches only",
		"a message or format that is right in the example and not in general",
		"an implicit choice made the other way",
		"a pattern that fits the problem's example and little else",
		"a warning where an error is asked for, or the reverse",
		"a case that the problem mentions in passing, left as it was",
		"an explicit setting that is overridden by what is guessed",
	}}
}
