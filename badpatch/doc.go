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
// Nothing here runs code. Whether a candidate is bad, and a variant good, only
// the tests tell. The same Subject and seed give the same candidates in the
// same order.
package badpatch
