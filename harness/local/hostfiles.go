//go:build linux

package local

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// homeSettings are the files of a user's home by which package managers
// reach their index, below the home.
func homeSettings() []string {
	return []string{
		".m2/settings.xml", ".m2/settings-security.xml", ".gradle/gradle.properties", ".config/pip", ".pip",
		".netrc", ".npmrc", ".condarc", ".config/uv", ".gitconfig",
	}
}

// lentVariable reports whether set-up steps get a variable of the host:
// proxies, trust stores and package indexes.
func lentVariable(name string) bool {
	switch strings.ToUpper(name) {
	case "HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR",
		"REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "GIT_SSL_CAINFO", "GIT_PROXY_COMMAND",
		"AWS_CA_BUNDLE", "MAVEN_OPTS", "MAVEN_ARGS", "JAVA_TOOL_OPTIONS", "GRADLE_OPTS", "GOPROXY", "GONOSUMDB",
		"CARGO_HTTP_CAINFO", "CARGO_HTTP_PROXY":
		return true
	}
	return strings.HasPrefix(name, "PIP_") || strings.HasPrefix(name, "UV_") || strings.HasPrefix(strings.ToLower(name), "npm_config_")
}

// lent returns the host's variables and files for a set-up step with network.
func lent(trees []tree, environ []string, home string) (env []string, files []borrow) {
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		if !lentVariable(name) {
			continue
		}
		env = append(env, kv)
		if filepath.IsAbs(value) && !inTrees(trees, value) && !slices.Contains(oversized(), filepath.Clean(value)) {
			files = lend(files, value, value)
		}
	}
	slices.Sort(env)
	for _, p := range append(lentToSetup(), "/etc/resolv.conf", "/etc/hosts") {
		files = lend(files, p, p)
	}
	for _, p := range homeSettings() {
		files = lend(files, filepath.Join(home, p), filepath.Join("/root", p))
	}
	return env, files
}

// oversized are directories that no variable can make visible.
func oversized() []string { return []string{"/", "/root", "/home", "/tmp", "/var", "/run"} }

// lend adds a file or directory of the host, if it is there. The directory of
// apt's settings is copied, for scripts that add a source.
func lend(files []borrow, source, target string) []borrow {
	real, err := filepath.EvalSymlinks(source)
	if err != nil {
		return files
	}
	info, err := os.Stat(real)
	if err != nil || !info.IsDir() && !info.Mode().IsRegular() {
		return files
	}
	b := borrow{Source: real, Target: filepath.Clean(target), Dir: info.IsDir(), Copy: target == "/etc/apt"}
	if slices.ContainsFunc(files, func(f borrow) bool { return f.Target == b.Target }) {
		return files
	}
	return append(files, b)
}
