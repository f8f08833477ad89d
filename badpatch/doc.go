// Package badpatch makes patches that look like a fix of an issue and are
// none (OmniCode, section 3.2.2), and their counterpart: rewrites of the gold
// patch that behave as it does.
//
// A Subject is an instance read once: the files that gold changes, before and
// after, with their syntax trees. Sources make Candidates of it: parts of gold
// (Subsets), gold with one thing wrong (Operators), the failure caught where it
// shows (Symptoms), parts of gold among unrelated changes (Undisciplined).
// A Filter drops, for a reason that is counted, what is not worth a run.
// Variants rewrites gold so that its behaviour stays and its text does not.
//
// Attempts takes what agents submitted, Edits and WholeFile ask a model.
//
// A Generator runs what the Filter let pass with the hidden tests, decides what
// each candidate is (Decide), chooses those that differ most (Choose) and
// checks the good variants. Figures measure what came of it; Weaken makes weak
// tests to measure it with. The same subject, seed and answers of the tests
// give the same choice.
package badpatch
