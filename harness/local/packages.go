//go:build linux

package local

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// packages returns a script that installs what is missing of the recipe's
// packages; "" when nothing is.
func (l *layerMaker) packages() (string, error) {
	valid := regexp.MustCompile(`^[a-z0-9][a-z0-9+.:=~_-]*$`)
	for _, p := range l.recipe.Packages {
		if !valid.MatchString(p) {
			return "", fmt.Errorf("%q is not a package name", p)
		}
	}
	if len(l.recipe.Packages) == 0 {
		return "", nil
	}
	installed, err := installedPackages(l.env.dirs)
	if err != nil {
		return "", fmt.Errorf("only hosts with Debian's packages are served: %w", err)
	}
	missing := slices.DeleteFunc(slices.Clone(l.recipe.Packages), func(p string) bool { return installed[p] })
	if len(missing) == 0 {
		return "", nil
	}
	if l.driver.user {
		return "", fmt.Errorf("ordinary users cannot install packages; run as root: apt-get install %s", strings.Join(missing, " "))
	}
	return installScript(missing), nil
}

// installScript installs packages without starting services, and leaves no
// package lists in the layer.
func installScript(names []string) string {
	return `export DEBIAN_FRONTEND=noninteractive
printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d
chmod 755 /usr/sbin/policy-rc.d
apt() { apt-get -q -y -o APT::Sandbox::User=root -o Acquire::Retries=3 -o Dpkg::Use-Pty=0 "$@"; }
apt update
apt install --no-install-recommends ` + strings.Join(names, " ") + `
rm -rf /usr/sbin/policy-rc.d /var/lib/apt/lists/* /var/cache/apt/*.bin /var/cache/apt/archives/*.deb
`
}

// installedPackages reads dpkg's database as the topmost layer that changed
// it has it, with the names "package" and "package:architecture".
func installedPackages(layers []string) (map[string]bool, error) {
	const database = "/var/lib/dpkg"
	for _, dir := range layers {
		found, err := readStatus(filepath.Join(dir, treeKey(database), "status"))
		if !errors.Is(err, os.ErrNotExist) {
			return found, err
		}
	}
	return readStatus(database + "/status")
}

// readStatus reads the paragraphs of dpkg's status file.
func readStatus(file string) (map[string]bool, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := map[string]bool{}
	name, arch, installed := "", "", false
	keep := func() {
		if installed && name != "" {
			out[name], out[name+":"+arch] = true, true
		}
		name, arch, installed = "", "", false
	}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		switch key, value, _ := strings.Cut(lines.Text(), ": "); {
		case lines.Text() == "":
			keep()
		case key == "Package":
			name = value
		case key == "Architecture":
			arch = value
		case key == "Status":
			installed = strings.HasSuffix(value, " ok installed")
		}
	}
	keep()
	return out, lines.Err()
}
