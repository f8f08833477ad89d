//go:build !unix

package jsonl

import "os"

// lock does nothing where there is no flock.
func lock(*os.File) error { return nil }
