//go:build linux

package local

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// rootTree is the key of the tree "/", which has nothing of the host's.
const rootTree = "root"

// treePaths are the directories of the host that hold tool chains and what
// these need. The lib and bin directories are usually links into /usr.
func treePaths() []string {
	return append([]string{"/usr", "/etc", "/opt", "/var/lib/dpkg", "/nix", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}, interpreterDirs()...)
}

// hostTrees lists which of them there are, with the file systems that are
// mounted below them, and the links among them.
func hostTrees(mounts []mountPoint) (trees []tree, links []link) {
	for _, p := range treePaths() {
		info, err := os.Lstat(p)
		switch {
		case err != nil:
		case info.IsDir():
			trees = append(trees, tree{Path: p, Key: treeKey(p), Mode: uint32(info.Mode().Perm())})
		case info.Mode()&fs.ModeSymlink != 0:
			if target, err := os.Readlink(p); err == nil {
				links = append(links, link{p, target})
			}
		}
	}
	for _, m := range mounts {
		info, err := os.Stat(m.path)
		if err != nil || !info.IsDir() || !m.holdsFiles() || !inTrees(trees, m.path) {
			continue
		}
		t := tree{Path: m.path, Key: treeKey(m.path), Mode: uint32(info.Mode().Perm())}
		if !slices.Contains(trees, t) {
			trees = append(trees, t)
		}
	}
	slices.SortFunc(trees, func(a, b tree) int { return strings.Compare(a.Path, b.Path) })
	return trees, links
}

func treeKey(p string) string { return strings.ReplaceAll(strings.Trim(p, "/"), "/", "+") }

// inTrees reports whether p is below one of the trees.
func inTrees(trees []tree, p string) bool {
	return slices.ContainsFunc(trees, func(t tree) bool { return below(t.Path, p) })
}

func below(dir, p string) bool { return strings.HasPrefix(p, strings.TrimSuffix(dir, "/")+"/") }

// mountPoint is a line of /proc/self/mountinfo.
type mountPoint struct {
	path, root, kind, options string
}

// holdsFiles distinguishes file systems with files of their own from
// interfaces of the kernel.
func (m mountPoint) holdsFiles() bool {
	switch m.kind {
	case "proc", "sysfs", "cgroup", "cgroup2", "devpts", "devtmpfs", "mqueue", "autofs", "binfmt_misc",
		"debugfs", "tracefs", "securityfs", "pstore", "bpf", "configfs", "fusectl", "hugetlbfs", "rpc_pipefs", "nsfs":
		return false
	}
	return true
}

func readMounts() ([]mountPoint, error) {
	f, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return nil, fmt.Errorf("reading the mounts: %w", err)
	}
	defer f.Close()
	var out []mountPoint
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if m, ok := parseMount(lines.Text()); ok {
			out = append(out, m)
		}
	}
	return out, lines.Err()
}

// parseMount reads a line of mountinfo (proc_pid_mountinfo(5)).
func parseMount(line string) (mountPoint, bool) {
	before, after, ok := strings.Cut(line, " - ")
	left, right := strings.Fields(before), strings.Fields(after)
	if !ok || len(left) < 6 || len(right) < 1 {
		return mountPoint{}, false
	}
	m := mountPoint{root: unescape(left[3]), path: unescape(left[4]), kind: right[0]}
	if len(right) > 2 {
		m.options = right[2]
	}
	return m, true
}

// unescape undoes the octal escapes of blanks and backslashes.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) {
			var n int
			if _, err := fmt.Sscanf(s[i+1:i+4], "%03o", &n); err == nil && n < 256 {
				b.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// ownedDirs lists directories of the host that an ordinary user's jobs must
// be able to write to, as root's can: they are mounted over the host's, owned
// by the job. The whole of /usr would take too long.
func ownedDirs() []directory {
	var out []directory
	depths := map[string]int{"/etc": 6, "/opt": 2, "/usr": 1, "/usr/local": 5, "/usr/share": 1}
	for _, top := range []string{"/etc", "/opt", "/usr", "/usr/local", "/usr/share"} {
		walkDirs(top, depths[top], func(p string, mode fs.FileMode) {
			out = append(out, directory{p, uint32(mode.Perm())})
		})
	}
	return out
}

func walkDirs(dir string, depth int, visit func(string, fs.FileMode)) {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() {
		return
	}
	visit(dir, info.Mode())
	if depth == 0 {
		return
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.IsDir() {
			walkDirs(filepath.Join(dir, e.Name()), depth-1, visit)
		}
	}
}
