// Package llmtest stands in for language models: Fake is a client that answers
// from a script, Server a fake of a provider's HTTP interface on loopback, and
// Run the tests that every provider's client must pass against such servers.
package llmtest
