// Package harnesstest holds what every driver of package harness must pass
// (Run), and a scripted runner for the tests of packages that are above it
// (Fake). It knows no driver.
package harnesstest
