package languages

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"assay/harness"
)

// newPackages are the Java packages that the code adds and nothing at base
// declares, sorted.
func newPackages(suite Suite) []string {
	added := map[string]string{} // folder to package
	for _, p := range suite.Added {
		if m := javaPackage.FindStringSubmatch(suite.Repo.Text(p)); m != nil && about(Java).IsRunnable(p) {
			added[m[1]] = strings.ReplaceAll(m[1], ".", "/")
		}
	}
	if len(added) == 0 {
		return nil
	}
	known := map[string]bool{}
	for _, p := range suite.Repo.Paths() {
		if about(Java).IsRunnable(p) && !slices.Contains(suite.Added, p) {
			known["/"+path.Dir(p)+"/"] = true
		}
	}
	var out []string
	for _, pkg := range sortedKeys(added) {
		old := false
		for dir := range known {
			old = old || strings.HasSuffix(dir, "/"+added[pkg]+"/")
		}
		if !old {
			out = append(out, pkg)
		}
	}
	return out
}

// shadowMark begins the lines that name packages of the environment.
func shadowMark(suite Suite) string { return "assay-" + suite.Nonce + " shadows " }

// shadowCheck is shell that looks for the code's new packages in the archives
// of the environment, before anything of the code runs. A name in a ZIP file
// is 30 bytes after the mark of its entry; version 10 of the format, which
// comes between, is a line's end to grep.
func shadowCheck(suite Suite) string {
	var b strings.Builder
	for _, pkg := range newPackages(suite) {
		entry := `(?:PK\x03\x04[\x00-\xff]{26}|^\x00[\x00-\xff]{24})` + strings.ReplaceAll(pkg, ".", "/") + "/"
		fmt.Fprintf(&b, "if find \"$HOME/.m2/repository\" \"$HOME/.gradle\" -name '*.jar' -print0 2>/dev/null | LC_ALL=C xargs -0 -r grep -laP %s 2>/dev/null | grep -q .; then echo %s; fi\n",
			quote(entry), quote(shadowMark(suite)+pkg))
	}
	return b.String()
}

// shadowsSaid are the packages that the check reported.
func shadowsSaid(suite Suite, output harness.Output) []oddity {
	var out []oddity
	for line := range strings.Lines(string(output.Head)) {
		if pkg, ok := strings.CutPrefix(strings.TrimSpace(line), shadowMark(suite)); ok {
			out = append(out, oddity{"shadow " + pkg, fmt.Sprintf("the submission's package %s stands in for one of that name of a library of the environment", pkg)})
		}
	}
	return out
}
