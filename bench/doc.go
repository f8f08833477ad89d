// Package bench holds the nouns of the field as plain data: instances, bad
// patches, predictions, tests and results, and reads and writes them as JSON
// Lines. It runs nothing and imports no other package of assay, so that
// generation and judging share only data.
package bench
