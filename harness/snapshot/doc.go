// Package snapshot reads the entries of a directory that a job has left, for
// the drivers: from the file system of the job, or from a tar stream of it.
// What it reads was made by a program that may be hostile.
package snapshot
