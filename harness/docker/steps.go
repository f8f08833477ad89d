package docker

import (
	"bytes"
	"fmt"
	"strings"

	"assay/harness"
)

// steps are a recipe's packages or script, ready to be put in and started.
type steps struct {
	run     bool
	network bool
	files   []harness.File
}

// noIndex is the exit code of a set-up that could not read the package
// index.
const noIndex = 80

// steps makes the files of a set-up. One that sees the network gets the
// host's settings, in our own directory, which is gone before the commit.
func (d *Driver) steps(r harness.Recipe) (steps, error) {
	l := launch{script: r.Script, workdir: r.Workdir, init: d.engine.hasInit(), strict: true}
	switch {
	case len(r.Packages) > 0 && content(r) == 0:
		host, err := d.hostSettings()
		if err != nil {
			return steps{}, err
		}
		l.script = installScript(r.Packages)
		l.before, l.after = host.exports(), ""
		return steps{run: true, network: true, files: append(l.setUpFiles(), host.files...)}, nil
	case r.Script != "" && r.Network:
		host, err := d.hostSettings()
		if err != nil {
			return steps{}, err
		}
		l.before, l.after = host.exports()+host.javaExport()+lendScript, returnScript
		return steps{run: true, network: true, files: append(l.setUpFiles(), host.files...)}, nil
	case r.Script != "" || r.Workdir != "":
		return steps{run: true, files: l.files()}, nil
	}
	return steps{}, nil
}

// setUpFiles is files for a script that has something done before and after
// it: our directory stays until the end.
func (l launch) setUpFiles() []harness.File {
	cd := ""
	if dir := clean(l.workdir); dir != "/" {
		cd = fmt.Sprintf("mkdir -p %[1]s && cd %[1]s || exit 125\n", quote(dir))
	}
	run := "exec 2>&1 9<" + scriptFile + "\nrm -f " + runFile + " " + scriptFile + "\n" +
		l.before + cd + "/bin/sh -e /proc/self/fd/9\nrc=$?\ncd /\n" + l.after +
		"rm -rf " + ownDir + " || exit 125\nexit $rc\n"
	return []harness.File{
		{Path: runFile, Data: []byte(run)},
		{Path: scriptFile, Data: []byte("exec 9<&-; " + l.script)},
	}
}

// installScript installs Debian packages and leaves no trace of how. The
// services of packages are not started. Package sources and proxies are the
// host's where it has the same release, else the image's own.
func installScript(packages []string) string {
	words := make([]string, len(packages))
	for i, p := range packages {
		words[i] = quote(p)
	}
	return fmt.Sprintf(`export DEBIAN_FRONTEND=noninteractive
[ ! -r /etc/os-release ] || . /etc/os-release
conf=%[1]s/apt/any.conf
[ ! -f "%[1]s/apt/$VERSION_CODENAME.conf" ] || conf="%[1]s/apt/$VERSION_CODENAME.conf"
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then mine=1; printf '#!/bin/sh\nexit 101\n' >$policy; chmod 755 $policy; fi
apt-get -qq -c "$conf" -o APT::Update::Error-Mode=any update || exit %[2]d
apt-get -qq -c "$conf" -o Dpkg::Use-Pty=0 install -y --no-install-recommends -- %[3]s
[ -z "$mine" ] || rm -f $policy
apt-get -c "$conf" clean
rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin /var/cache/debconf/*-old /var/lib/dpkg/*-old
`, hostDir, noIndex, strings.Join(words, " "))
}

// unreachable reports whether packages could not be installed because their
// source could not be reached, rather than because there are none such.
func unreachable(res harness.Result) bool {
	if res.End != harness.Exited || res.ExitCode == noIndex {
		return true
	}
	text := append(append([]byte(nil), res.Output.Head...), res.Output.Tail...)
	for _, sign := range []string{"Failed to fetch", "Unable to fetch", "Could not resolve", "Temporary failure resolving", "Could not connect"} {
		if bytes.Contains(text, []byte(sign)) {
			return true
		}
	}
	return false
}

// lendScript puts the host's certificates and Maven settings where tools
// look that take no variable. They are links into our own directory;
// returnScript takes back the links that are still there.
const lendScript = `m=; lend() {
if [ -e ` + hostDir + `/$1 ]; then
for p in $3; do [ -d "$p" ] || { mkdir "$p" && m="$p $m"; }; done
if [ -e "$2" ] || [ -L "$2" ]; then mv "$2" ` + ownDir + `/old-$1; fi
ln -s ` + hostDir + `/$1 "$2"
fi; }
giveback() { if [ "$(readlink "$2")" = ` + hostDir + `/$1 ]; then rm -f "$2"; [ ! -e ` + ownDir + `/old-$1 ] || mv ` + ownDir + `/old-$1 "$2"; fi; }
lend ca.crt /etc/ssl/certs/ca-certificates.crt "/etc/ssl /etc/ssl/certs"
lend settings.xml "$HOME/.m2/settings.xml" "$HOME/.m2"
`

const returnScript = `giveback ca.crt /etc/ssl/certs/ca-certificates.crt
giveback settings.xml "$HOME/.m2/settings.xml"
for p in $m; do rmdir "$p" 2>/dev/null; done
`
