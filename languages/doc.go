// Package languages knows how code of one language is set up, built and
// tested: the recipe of an instance's environment, the script that runs chosen
// test files, which reports it leaves and how they read, which paths are
// tests, and which tests a patch contributes. It plans and parses; the only
// thing that executes is Testbed, which hands jobs to a harness.
//
// Inside an environment the repository is at /testbed, as in SWE-bench's
// images, and everything of assay's below /assay.
package languages
