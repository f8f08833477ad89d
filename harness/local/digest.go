//go:build linux

package local

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"assay/harness"
)

// layoutVersion changes when layers made by an older version of this package
// must not be used any more.
const layoutVersion = 1

// fingerprint identifies the host's tool chains, over which layers are laid:
// the distribution and its installed packages, and what stands in the
// directories for software installed by hand.
func fingerprint(trees []tree, links []link, user bool) (string, error) {
	h := sha256.New()
	if err := json.NewEncoder(h).Encode([]any{layoutVersion, runtime.GOARCH, user, trees, links}); err != nil {
		return "", fmt.Errorf("identifying the host: %w", err)
	}
	for _, p := range []string{"/etc/os-release", "/var/lib/dpkg/status"} {
		hashFile(h, p)
	}
	for _, dir := range []string{"/opt", "/usr/local/bin", "/usr/local/lib", "/usr/local/share"} {
		hashNames(h, dir)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// hashFile adds a file; one that is absent is a fact too.
func hashFile(h hash.Hash, p string) {
	fmt.Fprintf(h, "%s\n", p)
	f, err := os.Open(p)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = io.Copy(h, f) // an unreadable file counts as an empty one
}

func hashNames(h hash.Hash, dir string) {
	entries, _ := os.ReadDir(dir) // absent: no names
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			fmt.Fprintf(h, "%s %d %d\n", filepath.Join(dir, e.Name()), info.Size(), info.ModTime().UnixNano())
		}
	}
}

// layerName names the layer of a recipe over this host.
func (d *Driver) layerName(r harness.Recipe) string {
	sum := sha256.Sum256([]byte(d.fingerprint + "\n" + harness.Digest(r)))
	return "local-" + hex.EncodeToString(sum[:16])
}
