// Package hub downloads datasets of the Hugging Face hub with the hub's HTTP
// API: a revision is looked up, its files are listed, and those that are
// chosen are kept in a folder named by the revision.
package hub
