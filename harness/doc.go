// Package harness runs jobs: files in, a script, limits; exit code, output
// and files out. It knows neither tests nor linters nor patches. Drivers are
// in sub-packages (docker, local); what all of them must do is written down
// at Runner and Preparer and checked by harnesstest.
package harness
