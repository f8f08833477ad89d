// Command linters installs the linters that the tests of style/linters start,
// as their own recipes say, below a directory, and prints the names of those
// that are there:
//
//	ASSAY_TOOLS=DIR go run ./scripts/linters
//
// What was installed by the same recipe before stays. One that cannot be
// installed is reported on standard error; its tests are skipped.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"assay/harness"
	"assay/style/linters"
)

func main() {
	dir := os.Getenv("ASSAY_TOOLS")
	if !filepath.IsAbs(dir) {
		fmt.Fprintln(os.Stderr, "linters: ASSAY_TOOLS: expected an absolute path")
		os.Exit(2)
	}
	var names []string
	for _, l := range linters.All() {
		name := l.About().Name
		if err := install(dir, name, l.Install()); err != nil {
			fmt.Fprintf(os.Stderr, "linters: %s cannot be installed: %v\n", name, err)
			continue
		}
		names = append(names, name)
	}
	fmt.Println(strings.Join(names, " "))
}

// install carries out a recipe below dir, unless that was done.
func install(dir, name string, r harness.Recipe) error {
	stamp, text := filepath.Join(dir, name+".recipe"), recipeText(r)
	if done, err := os.ReadFile(stamp); err == nil && string(done) == text {
		return packages(r.Packages)
	}
	if err := packages(r.Packages); err != nil {
		return err
	}
	home := filepath.Join(dir, name)
	if err := os.RemoveAll(home); err != nil {
		return err
	}
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	here := strings.NewReplacer("/opt/assay/", dir+"/")
	for _, f := range r.Files {
		p := here.Replace(f.Path)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(p, []byte(here.Replace(string(f.Data))), 0o644); err != nil {
			return err
		}
	}
	if err := run(home, "sh", "-e", "-c", here.Replace(r.Script)); err != nil {
		return err
	}
	return os.WriteFile(stamp, []byte(text), 0o644)
}

// recipeText is all that describes what a recipe installs.
func recipeText(r harness.Recipe) string {
	var b strings.Builder
	for _, f := range r.Files {
		fmt.Fprintf(&b, "%s\n%s\n", f.Path, f.Data)
	}
	return b.String() + r.Script
}

// packages installs those of Debian's that are missing.
func packages(names []string) error {
	var missing []string
	for _, n := range names {
		out, err := exec.Command("dpkg-query", "-W", "-f=${Status}", n).Output()
		if err != nil || !strings.Contains(string(out), "ok installed") {
			missing = append(missing, n)
		}
	}
	switch {
	case len(missing) == 0:
		return nil
	case os.Getuid() != 0:
		return fmt.Errorf("it needs root to install %s", strings.Join(missing, " "))
	}
	if err := run("/", "apt-get", "update", "-qq"); err != nil {
		return err
	}
	return run("/", "apt-get", append([]string{"install", "-y", "-qq", "--no-install-recommends"}, missing...)...)
}

func run(dir, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, tail(string(out), 2000))
	}
	return nil
}

func tail(s string, n int) string { return s[max(0, len(s)-n):] }
