package badpatch

import "assay/llm/prompts"

// strategy is a way of being wrong that a model is asked for. The groups are
// SWE-Mutation's; the category is the nearest one of the paper's.
type strategy struct {
	prompts.Strategy
	short    string
	category Category
	hints    []string
}

func strategies() []strategy {
	return []strategy{
		{prompts.Strategy{
			Name:        "A broken contract",
			Description: "The code keeps another promise than the one its callers rely on: a default, the order of arguments, the type of an exception, an argument that should not change.",
		}, "contract", Contract, []string{
			"a default value that fits the common call and no other",
			"two arguments of the same type in the wrong order in one call",
			"an exception of another type, or one that is swallowed",
			"an argument that is changed although the caller still uses it",
			"a result that is not always of the kind that callers expect",
		}},
		{prompts.Strategy{
			Name:        "A missed boundary",
			Description: "The code is right in the middle of the range and wrong at its edge: one too far, an empty or missing value, a condition that is a little too wide or too narrow.",
		}, "boundary", EdgeCase, []string{
			"a comparison that takes in, or leaves out, the limit itself",
			"a missing value that is treated like an empty one",
			"the first or the last element that is left out",
			"one part of a combined condition that is dropped",
			"an input that is empty",
		}},
		{prompts.Strategy{
			Name:        "A wrong type or shape",
			Description: "The code treats a value as another kind of value than it is: rounding, encodings, text for numbers, one element for many.",
		}, "shape", EdgeCase, []string{
			"precision that is lost in a conversion",
			"text that is compared with case, blanks or escapes not made equal",
			"a single value where a collection may come",
			"a signed or narrower number",
			"a nested structure of which only the outer level is handled",
		}},
		{prompts.Strategy{
			Name:        "State that goes wrong",
			Description: "A single call is right, and a second one, another order, or a shared object is not: something is not reset, done twice, kept too long or copied too shallowly.",
		}, "state", Guard, []string{
			"a value that is kept from the call before",
			"a shallow copy where a deep one is needed",
			"a cache that is not made invalid",
			"a step that is done before what it depends on",
			"a resource or a flag that is not set back on an early return",
		}},
		{prompts.Strategy{
			Name:        "Another expectation",
			Description: "The code handles the problem's example and treats a related case by another rule than the problem asks for: messages, formats, implicit choices, a sibling that needs the same repair.",
		}, "expectation", Partial, []string{
			"the repair for one of several equal branches only",
			"a message or format that differs where nobody looks first",
			"an implicit choice made the other way",
			"a pattern that fits the problem's example and little else",
			"a warning where an error is asked for, or the reverse",
		}},
	}
}
