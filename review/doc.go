// Package review writes reviews of bad patches and checks that a review does
// not give the gold patch away (OmniCode, section 3.2.3). WriteStatement has a
// model write a problem statement, under the same check, where there is no issue.
//
// Study reads what a review is about once: the files that gold and the bad
// patch touch, in their three states, and where the two differ. On the
// Subject that comes from it, Check looks for leaks, Deterministic writes a
// review from failing tests and places alone, Write asks a language model,
// and Categorise sorts a review into the paper's categories. Measure sums up
// a set.
//
// The leak check is a matter of tokens: it finds copied names, values and
// code, not an answer in other words. A review of a fix that adds nothing new
// cannot be checked, and LeakReport.Checkable is false for it.
package review
