// Package badpatch makes patches that look like a fix of an issue and do not
// fix it (OmniCode, section 3.2.2), and keeps their counterpart: rewrites of
// the gold patch that behave as it does.
//
// A Subject is an instance read once: the files that gold changes, before and
// after, with their syntax trees. A Source makes Candidates of it; the packages
// below this one hold the sources: mutation, antipattern, attempt and modelsource. A
// Filter drops, for a reason that is counted, what is not worth a run.
//
// A Generator runs what the Filter let pass with the hidden tests, decides
// what each candidate is (Decide), chooses those that differ most (Choose)
// and checks the good variants that package rewrite makes. Package measure
// describes the result. The same subject, seed and answers of the tests give
// the same choice.
package badpatch
