// Package samples is a small benchmark of six instances, two each in Python,
// Java and C++, written for this project: small libraries with a real bug,
// the issue that reports it, the fix, hidden tests, wrong and good attempts
// at the fix, and flawed submissions. It makes data only, and runs nothing
// but git.
package samples
