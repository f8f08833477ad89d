//go:build linux

package local

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// secretPaths are files of /etc that jobs do not see: accounts, keys, and the
// settings by which the host reaches its network. Files that not everyone may
// read are hidden too, under any name.
func secretPaths() []string {
	return []string{
		"/etc/gshadow*", "/etc/shadow-", "/etc/passwd-", "/etc/group-", "/etc/subuid*", "/etc/subgid*",
		"/etc/sudoers*", "/etc/ssh/*key*", "/etc/ssl/private", "/etc/machine-id", "/etc/krb5.*",
		"/etc/docker", "/etc/containers", "/etc/kubernetes", "/etc/rancher",
		"/etc/fstab", "/etc/crypttab", "/etc/exports", "/etc/wireguard", "/etc/NetworkManager", "/etc/netplan",
		"/etc/cron*", "/etc/environment", "/etc/profile.d/*proxy*", "/etc/apt", "/etc/pip.conf", "/etc/pip",
		"/etc/xdg/pip", "/etc/gitconfig", "/etc/npmrc", "/etc/wgetrc", "/etc/curlrc", "/etc/maven/settings*.xml",
		"/etc/mavenrc", "/etc/conda", "/etc/uv", "/etc/postgresql", "/etc/mysql",
	}
}

// lentToSetup are those of the above that set-up steps with network need.
func lentToSetup() []string {
	return []string{
		"/etc/apt", "/etc/pip.conf", "/etc/xdg/pip", "/etc/gitconfig", "/etc/npmrc", "/etc/wgetrc", "/etc/curlrc",
		"/etc/maven/settings.xml", "/etc/mavenrc", "/etc/uv",
	}
}

// hidden lists what jobs must not see although it is in a tree.
func hidden(trees []tree, more []string) []string {
	var out []string
	for _, pattern := range secretPaths() {
		found, _ := filepath.Glob(pattern) // the patterns are well-formed
		out = append(out, found...)
	}
	for dir, depth := range map[string]int{"/etc": 8, "/opt": 4, "/usr/local/etc": 8} {
		out = append(out, unreadable(dir, depth)...)
	}
	for _, p := range more {
		if p := firstMissing(p); inTrees(trees, p) {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return withoutChildren(slices.Compact(out))
}

// firstMissing resolves the links of a path. Where a part of it does not exist,
// the path ends with the first such part: once it exists, so may the rest.
func firstMissing(p string) string {
	p, err := filepath.Abs(p)
	if err != nil {
		return ""
	}
	last := ""
	for dir := p; ; dir = filepath.Dir(dir) {
		if found, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(found, last)
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
		last = filepath.Base(dir)
	}
}

// unreadable lists what not everyone may read: a job's root must not be able
// to read more of the host than any of its users.
func unreadable(dir string, depth int) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		p := filepath.Join(dir, e.Name())
		info, err := e.Info()
		if err != nil {
			continue
		}
		switch perm := info.Mode().Perm(); {
		case info.Mode()&os.ModeSymlink != 0:
		case info.IsDir() && perm&0o5 != 0o5, !info.IsDir() && perm&0o4 == 0:
			out = append(out, p)
		case info.IsDir() && depth > 1:
			out = append(out, unreadable(p, depth-1)...)
		}
	}
	return out
}

// withoutChildren drops from a sorted list what is below another entry.
func withoutChildren(sorted []string) []string {
	var out []string
	for _, p := range sorted {
		if !slices.ContainsFunc(out, func(dir string) bool { return below(dir, p) }) {
			out = append(out, p)
		}
	}
	return out
}

// standIns are files that jobs see in place of the host's.
func standIns() []plain {
	return []plain{
		{Path: "/etc/resolv.conf", Mode: 0o644},
		{Path: "/etc/hostname", Data: []byte(hostname + "\n"), Mode: 0o644},
		{Path: "/etc/hosts", Data: []byte("127.0.0.1 localhost " + hostname + "\n::1 localhost\n"), Mode: 0o644},
		{Path: "/etc/shadow", Data: lockedShadow(), Mode: 0o640},
	}
}

// lockedShadow names every account without a password: PAM refuses accounts
// that it does not find there, and root's su needs them.
func lockedShadow() []byte {
	passwd, err := os.ReadFile("/etc/passwd")
	if err != nil {
		return nil
	}
	var b strings.Builder
	for line := range strings.Lines(string(passwd)) {
		if name, _, ok := strings.Cut(line, ":"); ok {
			b.WriteString(name + ":*:19000:0:99999:7:::\n")
		}
	}
	return []byte(b.String())
}

const hostname = "assay"
