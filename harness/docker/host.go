package docker

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/harness"
)

// hostDir is where set-up steps find what is the host's.
const hostDir = ownDir + "/host"

// hostSettings are what set-up steps need to reach the network as the host
// does: certificates, proxies, and where packages come from. Jobs never see
// them, nor do they stay in a layer.
type hostSettings struct {
	files []harness.File
	env   []string // sorted
	java  []string // options of the JVM
}

// hostSettings reads the host's settings once.
func (d *Driver) hostSettings() (*hostSettings, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.host != nil {
		return d.host, nil
	}
	h := &hostSettings{}
	if err := h.certificates(); err != nil {
		return nil, broken("reading the host's certificates", err)
	}
	h.proxies()
	h.pip()
	if data, err := os.ReadFile(home(".m2/settings.xml")); err == nil {
		h.add("settings.xml", data)
	}
	if err := h.apt(); err != nil {
		return nil, broken("reading the host's package sources", err)
	}
	slices.Sort(h.env)
	d.host = h
	return h, nil
}

func (h *hostSettings) add(name string, data []byte) string {
	path := hostDir + "/" + name
	h.files = append(h.files, harness.File{Path: path, Data: data})
	return path
}

// exports are shell commands that set the variables.
func (h *hostSettings) exports() string {
	var b strings.Builder
	for _, kv := range h.env {
		name, value, _ := strings.Cut(kv, "=")
		fmt.Fprintf(&b, "export %s=%s\n", name, quote(value))
	}
	return b.String()
}

// javaExport sets the JVM's options, after those that are already set.
func (h *hostSettings) javaExport() string {
	if len(h.java) == 0 {
		return ""
	}
	options := quote(strings.Join(h.java, " "))
	return `export JAVA_TOOL_OPTIONS="${JAVA_TOOL_OPTIONS:+$JAVA_TOOL_OPTIONS }"` + options + "\n"
}

// certificates finds the host's bundle, and names it to the tools that have a
// setting for it.
func (h *hostSettings) certificates() error {
	for _, p := range []string{os.Getenv("SSL_CERT_FILE"), "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"} {
		bundle, err := os.ReadFile(p)
		if p == "" || err != nil || len(bundle) == 0 {
			continue
		}
		path := h.add("ca.crt", bundle)
		for _, name := range []string{"SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO", "PIP_CERT", "NODE_EXTRA_CA_CERTS"} {
			h.env = append(h.env, name+"="+path)
		}
		store, err := trustStore(bundle)
		if err != nil {
			return err
		}
		h.java = append(h.java, "-Djavax.net.ssl.trustStore="+h.add("cacerts", store), "-Djavax.net.ssl.trustStoreType=JKS")
		return nil
	}
	return nil // no TLS, or tools with their own
}

func (h *hostSettings) proxies() {
	for _, name := range []string{"http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy"} {
		for _, name := range []string{name, strings.ToUpper(name)} {
			if value := os.Getenv(name); value != "" {
				h.env = append(h.env, name+"="+value)
			}
		}
	}
	h.java = append(h.java, javaProxy("http", firstSet("http_proxy", "HTTP_PROXY"))...)
	h.java = append(h.java, javaProxy("https", firstSet("https_proxy", "HTTPS_PROXY"))...)
	if not := firstSet("no_proxy", "NO_PROXY"); not != "" && len(h.java) > 2 {
		h.java = append(h.java, "-Dhttp.nonProxyHosts="+javaHosts(not))
	}
}

// javaProxy says in options of the JVM what a proxy variable says.
func javaProxy(scheme, value string) []string {
	u, err := url.Parse(value)
	if err != nil || u.Hostname() == "" {
		return nil
	}
	port := u.Port()
	if port == "" {
		port = "80"
	}
	return []string{"-D" + scheme + ".proxyHost=" + u.Hostname(), "-D" + scheme + ".proxyPort=" + port}
}

// javaHosts turns "a,.b" into "a|*.b".
func javaHosts(list string) string {
	var out []string
	for _, h := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		if strings.HasPrefix(h, ".") {
			h = "*" + h
		}
		out = append(out, h)
	}
	return strings.Join(out, "|")
}

func firstSet(names ...string) string {
	for _, n := range names {
		if v := os.Getenv(n); v != "" {
			return v
		}
	}
	return ""
}

func home(name string) string {
	dir, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, name)
}

// readAll reads the files that match, in the order of their names.
func readAll(patterns ...string) ([][]byte, error) {
	var out [][]byte
	for _, p := range patterns {
		names, err := filepath.Glob(p)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil && !isGone(err) {
				return nil, err
			}
			out = append(out, data)
		}
	}
	return out, nil
}

func isGone(err error) bool { return os.IsNotExist(err) || os.IsPermission(err) }
