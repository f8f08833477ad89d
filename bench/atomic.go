package bench

import "assay/internal/atomicfile"

// WriteAtomic writes a file so that readers see the old content or the new,
// never a part, also after a crash: into a temporary file of the same
// directory, synced and then renamed. The directory must exist. A symbolic
// link at path is replaced, not followed.
func WriteAtomic(path string, data []byte) error {
	return atomicfile.Write(path, data, atomicfile.Options{Mode: 0o644, Sync: true})
}
