package languages

import (
	"path"
	"slices"
)

// withUnits adds to the suite's files, and to those that were changed, the test
// sources that include them, directly or by way of others: some projects compile
// one source that includes all tests, and no target names those.
func withUnits(suite Suite) Suite {
	if suite.Repo == nil {
		return suite
	}
	var includers map[string][]string
	units := func(files []string) []string {
		out := slices.Clone(files)
		for i := 0; i < len(out); i++ {
			if !about(Cpp).IsRunnable(out[i]) {
				continue
			}
			if includers == nil {
				includers = testIncluders(suite.Repo)
			}
			for _, p := range includers[out[i]] {
				if !slices.Contains(out, p) {
					out = append(out, p)
				}
			}
		}
		slices.Sort(out[len(files):])
		return out
	}
	suite.Files, suite.Changed = units(suite.Files), units(suite.Changed)
	return suite
}

// testIncluders are the test sources that include a file, by that file's path.
func testIncluders(repo Repository) map[string][]string {
	out := map[string][]string{}
	for _, p := range repo.Paths() {
		if !isTest(Cpp, p) || !about(Cpp).IsRunnable(p) {
			continue
		}
		for _, m := range includeLine.FindAllStringSubmatch(repo.Text(p), -1) {
			for _, file := range []string{path.Join(path.Dir(p), m[1]), path.Clean(m[1])} {
				if !slices.Contains(out[file], p) {
					out[file] = append(out[file], p)
				}
			}
		}
	}
	return out
}
