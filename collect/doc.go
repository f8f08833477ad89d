// Package collect turns repositories into validated base instances. It works
// from plain clones: changes that resolve an issue and touch source and tests
// are found in the history (Find), divided into gold and test patch (Split), set
// up and validated by running them (Validate). Each stage writes a file of JSON
// Lines in which every change that goes no further has its reason.
package collect
