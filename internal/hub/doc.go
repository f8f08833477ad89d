// Package hub brings datasets of the Hugging Face hub to this machine, by the
// hub's HTTP API: a revision is looked up, its files are listed, and those that
// are chosen are kept in a folder named by the revision.
package hub
