package languages

import (
	"path"
	"regexp"
	"strings"

	"assay/harness"
	"assay/languages/reports"
)

// antHalts matches the attribute of a build file that stops at the first
// failure, or may.
var antHalts = regexp.MustCompile(`(?i)\bhalton(?:failure|error)\s*=\s*["'](?:yes|true|on|\$)`)

// antNonce writes a nonce class next to the tests, which the build file
// compiles and runs along with them; nil where its failures would keep others
// from running. Where the build file names its tests one by one the nonce
// class is not run, with gold or with a submission.
func antNonce(suite Suite) *Nonce {
	first, flavour := nonceFile(suite)
	if first == "" || flavour == testNG || path.Ext(first) != ".java" {
		return nil
	}
	for _, p := range suite.Repo.Paths() {
		if path.Ext(p) == ".xml" && strings.Contains(p, "build") && antHalts.MatchString(suite.Repo.Text(p)) {
			return nil
		}
	}
	names := newJavaNames(suite, first)
	class, pass, fail := names.class(suite, first), names.test(), names.test()
	text, pkg := javaNonceText(suite.Repo.Text(first), flavour, class, pass, fail)
	text, more := javaNonceForms(text, suite.Repo.Text(first), flavour, pkg+class, names.test)
	return &Nonce{
		Beside: true,
		Files:  []harness.File{{Path: path.Join(Root, path.Dir(first), class+".java"), Data: []byte(text)}},
		Format: reports.Surefire,
		Pass:   pkg + class + "::" + pass,
		Fail:   pkg + class + "::" + fail,
		More:   more,
	}
}
