package docker

import (
	"archive/tar"
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/harness"
)

func TestSourceLines(t *testing.T) {
	got := parseSourceLines([]byte(`# deb http://commented/ x main
deb http://a.example/debian bookworm main contrib # tail
deb-src http://a.example/debian bookworm main
deb [ arch=amd64 signed-by=/k.gpg trusted=yes ] https://b.example/ bookworm/updates main
debris
deb onlyone
`))
	require.Equal(t, []aptSource{
		{uri: "http://a.example/debian", suite: "bookworm", components: []string{"main", "contrib"}},
		{uri: "https://b.example/", suite: "bookworm/updates", components: []string{"main"}, signedBy: "/k.gpg", trusted: true},
	}, got)
	require.Equal(t, "bookworm", got[1].release())
	require.Equal(t, "deb [signed-by=/x trusted=yes] https://b.example/ bookworm/updates main\n", got[1].line("/x"))
	require.Equal(t, "deb http://a.example/debian bookworm main contrib\n", got[0].line(""))
}

func TestSourceStanzas(t *testing.T) {
	got := parseSourceStanzas([]byte(`Types: deb deb-src
# a comment
URIs: http://a.example/debian http://b.example/debian
Suites: trixie trixie-updates
Components: main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 abc

Types: deb-src
URIs: http://c.example/
Suites: trixie

Enabled: no
Types: deb
URIs: http://d.example/
Suites: trixie
`))
	require.Len(t, got, 4)
	require.Equal(t, aptSource{
		uri: "http://b.example/debian", suite: "trixie-updates", components: []string{"main"},
		signedBy: "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nabc",
	}, got[3])
	require.Equal(t, "trixie", got[3].release())
}

func TestAcquireOptions(t *testing.T) {
	require.Equal(t, "Acquire::http::Proxy \"http://p.example:3128\";\nAcquire::Check-Date \"false\";\n", acquireOptions([]byte(
		"Acquire \"\";\nAcquire::cdrom::mount \"/media/cdrom/\";\nAcquire::http::Proxy \"http://p.example:3128\";\nAcquire::https::CaInfo \"/host/file\";\nAcquire::Check-Date \"false\";\nAcquire::Languages \"none\";\n")))
}

func TestPipConfig(t *testing.T) {
	require.Equal(t, map[string]string{
		"index-url": "https://a.example/simple", "trusted-host": "a.example b.example", "timeout": "60",
	}, pipConfig([]byte(`; comment
[global]
index_url = https://a.example/simple
target = /nowhere
trusted-host =
    a.example
    b.example
[install]
timeout: 60
[wheel]
retries = 9
`)))
}

func TestJavaProxies(t *testing.T) {
	require.Equal(t, []string{"-Dhttps.proxyHost=p.example", "-Dhttps.proxyPort=3128"}, javaProxy("https", "http://u:p@p.example:3128/"))
	require.Equal(t, []string{"-Dhttp.proxyHost=p.example", "-Dhttp.proxyPort=80"}, javaProxy("http", "http://p.example"))
	require.Empty(t, javaProxy("http", ""))
	require.Equal(t, "localhost|*.corp.example", javaHosts("localhost, .corp.example"))
}

// TestTrustStore reads the store back by Java's own tool, where there is one.
func TestTrustStore(t *testing.T) {
	bundle, err := os.ReadFile("/etc/ssl/certs/ca-certificates.crt")
	if err != nil {
		t.Skipf("no bundle of certificates here: %v", err)
	}
	want := 0
	for block, rest := pem.Decode(bundle); block != nil; block, rest = pem.Decode(rest) {
		if _, err := x509.ParseCertificate(block.Bytes); err == nil {
			want++
		}
	}
	store, err := trustStore(append([]byte("-----BEGIN CERTIFICATE-----\naaaa\n-----END CERTIFICATE-----\n"), bundle...))
	require.NoError(t, err)
	path := t.TempDir() + "/store"
	require.NoError(t, os.WriteFile(path, store, 0o600))
	if _, err := exec.LookPath("keytool"); err != nil {
		t.Skip("no keytool to read the store back with")
	}
	out, err := exec.Command("keytool", "-list", "-keystore", path, "-storepass", "changeit").CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, want, strings.Count(string(out), "trustedCertEntry"))
	_, err = trustStore([]byte("nothing"))
	require.Error(t, err)
}

func TestCandidates(t *testing.T) {
	t.Setenv("DOCKER_HOST", "")
	t.Setenv("XDG_RUNTIME_DIR", "/run/user/7")
	t.Setenv("HOME", "/home/u")
	require.Equal(t, []string{
		"unix:///var/run/docker.sock", "unix:///run/user/7/docker.sock", "unix:///home/u/.docker/run/docker.sock",
		"unix:///run/user/7/podman/podman.sock", "unix:///run/podman/podman.sock",
	}, candidates(""))
	t.Setenv("DOCKER_HOST", "tcp://e.example:2375")
	require.Equal(t, []string{"tcp://e.example:2375"}, candidates(""))
	require.Equal(t, []string{"unix:///x"}, candidates("unix:///x"))
}

func TestUnavailable(t *testing.T) {
	for _, host := range []string{"unix://" + t.TempDir() + "/none.sock", "tcp://127.0.0.1:1"} {
		_, err := New(t.Context(), Options{Dir: t.TempDir(), Host: host})
		require.ErrorIs(t, err, harness.ErrUnavailable)
		require.Regexp(t, "systemctl start docker|apt-get install", err.Error())
		checks := Probe(t.Context(), host)
		require.Len(t, checks, 1)
		require.False(t, checks[0].OK)
		require.NotEmpty(t, checks[0].Fix)
	}
	require.Contains(t, fixFor(fmt.Errorf("x: %w", fs.ErrPermission)), "usermod")
}

func TestTransient(t *testing.T) {
	require.True(t, transient(errors.New("Error response from daemon: device or resource busy")))
	require.False(t, transient(errors.New("OCI runtime create failed: exec: \"/bin/sh\": stat /bin/sh: no such file or directory")))
	require.False(t, harness.Retryable(infra(t.Context(), "x", errors.New("mkdir /a: not a directory"))))
}

func TestRoots(t *testing.T) {
	require.Equal(t, []string{"/a/b", "/c/f.xml"}, roots([]string{"/c/f.xml", "/a/b/*/x", "/a/b/c/*", "/a/b/**"}))
	require.Equal(t, []string{"/"}, roots([]string{"/**", "/a"}))
}

func TestDebianSuite(t *testing.T) {
	for ref, want := range map[string]string{
		"debian:bookworm": "bookworm", "docker.io/library/debian:trixie-slim": "trixie",
		"debian:woody": "", "debian": "", "ubuntu:bookworm": "", "example.com/debian:bookworm": "",
	} {
		require.Equal(t, want, debianSuite(ref), ref)
	}
}

func TestMoveBelow(t *testing.T) {
	for in, want := range map[string]string{"a/b": "opt/src/a/b", "./": "opt/src/", "../../etc/x": "opt/src/etc/x", "/abs": "opt/src/abs"} {
		require.Equal(t, want, moveBelow(tar.Header{Name: in}, "/opt/src/").Name, in)
	}
	link := moveBelow(tar.Header{Name: "l", Typeflag: tar.TypeLink, Linkname: "../a"}, "/opt")
	require.Equal(t, "opt/a", link.Linkname)
}

func FuzzSources(f *testing.F) {
	f.Add([]byte("deb [signed-by=/k] http://a b c\nTypes: deb\nURIs: u\nSuites: s t\n x\n .\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, s := range append(parseSourceLines(data), parseSourceStanzas(data)...) {
			require.NotEmpty(t, s.uri)
			require.NotEmpty(t, s.suite)
			again := parseSourceLines([]byte(s.line("")))
			if !strings.ContainsAny(s.uri+s.suite+strings.Join(s.components, ""), "#[]") {
				require.Len(t, again, 1)
				require.Equal(t, s.uri, again[0].uri)
			}
		}
	})
}

func FuzzPipConfig(f *testing.F) {
	f.Add([]byte("[global]\nindex-url = x\n  y\n[install]\nretries: 3\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for key := range pipConfig(data) {
			require.Contains(t, pipKeys(), key)
		}
	})
}

// FuzzUnpack: from anything that an engine sends, only what was requested is
// taken, and at most what fits.
func FuzzUnpack(f *testing.F) {
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for _, h := range []tar.Header{{Name: "out/", Typeflag: tar.TypeDir}, {Name: "out/f", Size: 2}, {Name: "out/../../etc/x", Size: 1}, {Name: "out/l", Typeflag: tar.TypeLink, Linkname: "out/f"}} {
		_ = w.WriteHeader(&h)
		_, _ = w.Write(make([]byte, h.Size))
	}
	_ = w.Close()
	f.Add(buf.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		b := newBasket([]string{"/out/**"}, 1<<20)
		_, _, _ = unpack(bytes.NewReader(data), "/out", b)
		sum := 0
		for name, content := range b.files {
			require.True(t, within(name, "/out"), name)
			sum += len(content)
		}
		require.LessOrEqual(t, sum, 1<<20)
	})
}

// TestProbe: on a machine with an engine everything missing has a way to fix
// it, and what is there is reported.
func TestProbe(t *testing.T) {
	d := newDriver(t)
	checks := Probe(t.Context(), "")
	require.True(t, checks[0].OK)
	require.Contains(t, checks[0].Detail, d.engine.info.ServerVersion)
	require.Len(t, checks, 5)
	for _, c := range checks {
		require.NotEmpty(t, c.Detail, c.Name)
		require.False(t, c.OK && c.Fix != "", c.Name)
	}
}

// TestPackTimes: every entry has the exact time, also those that only make
// room for others.
func TestPackTimes(t *testing.T) {
	at := time.Date(2025, 2, 3, 4, 5, 6, 789012345, time.UTC)
	own := func(left []string) []harness.File {
		return []harness.File{{Path: runFile, Data: []byte(strings.Join(left, " "))}}
	}
	content, err := pack([]string{"/a/tree", "/apart"}, []harness.File{{Path: "/a/tree/f", Data: []byte("x")}, {Path: "/a/link", Link: "f"}}, own, at)
	require.NoError(t, err)
	var names []string
	for r := tar.NewReader(content); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		require.True(t, h.ModTime.Equal(at), "%s: %s", h.Name, h.ModTime)
		names = append(names, h.Name)
	}
	require.Equal(t, []string{"/a/tree", "/a/tree/", "/a/tree/f", "/a/link", runFile}, names)
}
