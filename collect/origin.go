package collect

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"

	"assay/bench"
)

// Canary is text that all instances of a collection hold, so that a model which
// knows it has seen them. It stays the same while the collection grows; "" for
// an empty folder.
func (f *Folder) Canary() string {
	if len(f.state.Repositories) == 0 || len(f.state.Repositories[0].CutOffs) == 0 {
		return ""
	}
	first := f.state.Repositories[0]
	sum := sha256.Sum256([]byte("canary\n" + first.Name + "\n" + first.CutOffs[0]))
	return fmt.Sprintf("benchmark data, not for training: canary %x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

// Stars are those that GitHub reported, by repository.
func (f *Folder) Stars() map[string]int {
	stars := map[string]int{}
	for _, r := range f.state.Repositories {
		if r.Stars > 0 {
			stars[r.Name] = r.Stars
		}
	}
	return stars
}

// Instances reads the instances that the folder holds.
func (f *Folder) Instances() ([]bench.Instance, error) {
	return readLines[bench.Instance](filepath.Join(f.Dir, instancesFile))
}
