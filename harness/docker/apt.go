package docker

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// aptSource is one source of binary packages: a line of sources.list(5), or
// a stanza of the newer form.
type aptSource struct {
	uri        string
	suite      string
	components []string
	signedBy   string // path of a key ring, or a key itself; may be empty
	trusted    bool
}

// hostSources are the sources that the host's apt uses.
func hostSources() ([]aptSource, error) {
	lines, err := readAll("/etc/apt/sources.list", "/etc/apt/sources.list.d/*.list")
	if err != nil {
		return nil, err
	}
	stanzas, err := readAll("/etc/apt/sources.list.d/*.sources")
	if err != nil {
		return nil, err
	}
	var out []aptSource
	for _, data := range lines {
		out = append(out, parseSourceLines(data)...)
	}
	for _, data := range stanzas {
		out = append(out, parseSourceStanzas(data)...)
	}
	return out, nil
}

// release is the release that a suite belongs to: bookworm-updates and
// bookworm/updates to bookworm.
func (s aptSource) release() string {
	name, _, _ := strings.Cut(s.suite, "/")
	for _, tail := range []string{"-updates", "-security", "-backports"} {
		name = strings.TrimSuffix(name, tail)
	}
	return name
}

// apt passes on proxies and sources. For each release that the host has
// sources of there is a configuration, for the others one with proxies only.
func (h *hostSettings) apt() error {
	sources, err := hostSources()
	if err != nil {
		return err
	}
	common := aptOptions()
	for _, path := range []string{"/etc/apt/auth.conf"} {
		if data, err := os.ReadFile(path); err == nil {
			common += fmt.Sprintf("Dir::Etc::netrc %q;\n", h.add("apt/auth.conf", data))
		}
	}
	h.add("apt/any.conf", []byte(common))
	lists := map[string]*bytes.Buffer{}
	for i, s := range sources {
		release := s.release()
		if lists[release] == nil {
			lists[release] = &bytes.Buffer{}
		}
		ring, err := h.keyring(i, s.signedBy)
		if err != nil {
			return err
		}
		lists[release].WriteString(s.line(ring))
	}
	for _, release := range slices.Sorted(maps.Keys(lists)) {
		if strings.ContainsAny(release, "/ ") || release == "" {
			continue
		}
		list := h.add("apt/"+release+".list", lists[release].Bytes())
		h.add("apt/"+release+".conf", []byte(common+fmt.Sprintf("Dir::Etc::sourcelist %q;\nDir::Etc::sourceparts \"-\";\n", list)))
	}
	return nil
}

// keyring copies a key and returns its path in the container.
func (h *hostSettings) keyring(i int, signedBy string) (string, error) {
	switch {
	case strings.HasPrefix(signedBy, "-----BEGIN"):
		return h.add(fmt.Sprintf("apt/key-%d.asc", i), []byte(signedBy)), nil
	case strings.HasPrefix(signedBy, "/"):
		data, err := os.ReadFile(signedBy)
		if err != nil {
			return "", fmt.Errorf("key ring of a package source: %w", err)
		}
		return h.add(fmt.Sprintf("apt/key-%d%s", i, filepath.Ext(signedBy)), data), nil
	}
	return signedBy, nil // a fingerprint, or nothing
}

func (s aptSource) line(ring string) string {
	var options []string
	if ring != "" {
		options = append(options, "signed-by="+ring)
	}
	if s.trusted {
		options = append(options, "trusted=yes")
	}
	bracket := ""
	if len(options) > 0 {
		bracket = "[" + strings.Join(options, " ") + "] "
	}
	return strings.TrimSpace("deb "+bracket+s.uri+" "+s.suite+" "+strings.Join(s.components, " ")) + "\n"
}

// aptOptions are the options of the host's apt that describe how to get
// packages, without those that describe what to download.
func aptOptions() string {
	certificates := fmt.Sprintf("Acquire::https::CaInfo %q;\n", hostDir+"/ca.crt")
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "apt-config", "dump", "Acquire").Output()
	if err != nil {
		return certificates // not a Debian host
	}
	return certificates + acquireOptions(out)
}

// acquireOptions chooses from what apt-config prints, one option a line.
func acquireOptions(dump []byte) string {
	var b strings.Builder
	for line := range bytes.Lines(dump) {
		name, value, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		if value == `"";` || strings.Contains(value, "/") && !strings.Contains(value, "://") {
			continue // unset, or a file of the host's
		}
		for _, p := range []string{"Acquire::http::", "Acquire::https::", "Acquire::ftp::", "Acquire::Check-", "Acquire::Retries", "Acquire::ForceIPv"} {
			if strings.HasPrefix(name, p) {
				b.WriteString(name + " " + value + "\n")
			}
		}
	}
	return b.String()
}
