package languages

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"assay/bench"
	"assay/harness"
	"assay/languages/reports"
)

// testNG is the annotation of TestNG's tests.
const testNG = "org.testng.annotations.Test"

// mavenFlavour returns which JUnit a test file is written for, or TestNG.
func mavenFlavour(text string) string {
	switch {
	case strings.Contains(text, "org.testng.annotations"):
		return testNG
	case strings.Contains(text, "org.junit.jupiter"):
		return "org.junit.jupiter.api.Test"
	case strings.Contains(text, "org.junit.Test"), strings.Contains(text, "org.junit.*"):
		return "org.junit.Test"
	case strings.Contains(text, "junit.framework"), strings.Contains(text, "extends TestCase"), strings.Contains(text, "BaseTest"):
		return "junit.framework.TestCase"
	}
	return ""
}

// nonceFile is the file next to which the nonce class is written: of those
// that the patches add the first one whose framework is known, or else of
// all.
func nonceFile(suite Suite) (file, flavour string) {
	for _, files := range [][]string{intersection(suite.Files, suite.Changed), suite.Files} {
		for _, f := range files {
			if slices.Contains([]string{".java", ".kt", ".groovy"}, path.Ext(f)) && javaClass(suite.Repo, f) != "" {
				if flavour := mavenFlavour(suite.Repo.Text(f)); flavour != "" {
					return f, flavour
				}
			}
		}
	}
	return "", ""
}

// mavenOwn is a class with nonce tests, for Maven.
type mavenOwn struct {
	nonce *Nonce
	class string // qualified
	// among is shell that puts the class among the compiled ones of the hidden
	// tests. Checkers of style would find its source in the tree.
	among string
}

// mavenOwnOf writes the class, named as the classes of the suite are; nil where
// none can be written. Its second start is for where the run itself cannot hold
// it.
func mavenOwnOf(env bench.Env, suite Suite) *mavenOwn {
	first, flavour := nonceFile(suite)
	if first == "" || suite.Bare {
		return nil
	}
	names := newJavaNames(suite, first)
	class, pass, fail := names.class(suite, first), names.test(), names.test()
	text, pkg := javaNonceText(suite.Repo.Text(first), flavour, class, pass, fail)
	text, more := javaNonceForms(text, suite.Repo.Text(first), flavour, pkg+class, names.test)
	module, dir := moduleOf(env, first), suite.dir()+"/nonce"
	kept, reported := dir+"/"+class+".java", dir+"/reports/TEST-*.xml"
	run := besideReports(path.Join(Root, module, "target"), dir, mavenSurefire(env, first, pkg+class))
	return &mavenOwn{
		class: pkg + class,
		among: javaBesideTests(module, kept),
		nonce: &Nonce{
			Script:  nonceScript(module, kept, path.Join(Root, path.Dir(first), class+".java"), reported, run),
			Files:   []harness.File{{Path: kept, Data: []byte(text)}},
			Reports: []string{reported},
			Format:  reports.Surefire,
			Pass:    pkg + class + "::" + pass,
			Fail:    pkg + class + "::" + fail,
			More:    more,
		},
	}
}

// beside has the tests run in the suite's own start. The second start is only
// used when the first reports none of them.
func (o *mavenOwn) beside() {
	o.nonce.Beside = true
	o.nonce.Script = fmt.Sprintf("if find . -type f -path '*/target/surefire-reports/TEST-*.xml' -exec grep -qsF %s {} +; then exit 0; fi\n",
		quote(`classname="`+o.class+`"`)) + o.nonce.Script
}

// mavenHoldsOwn reports whether a nonce test that fails leaves the suite's
// own tests as they are: Failsafe's run only after Surefire's have passed,
// and a pom may make Surefire stop at the first failures.
func mavenHoldsOwn(suite Suite, integration []string) bool {
	if len(integration) > 0 {
		return false
	}
	for _, p := range suite.Repo.Paths() {
		if (path.Base(p) == "pom.xml" || strings.HasPrefix(p, ".mvn/")) && strings.Contains(suite.Repo.Text(p), "kipAfterFailureCount") {
			return false
		}
	}
	return true
}

// javaNonceForms adds to the class a test for each assertion that a test file
// uses; all of them must fail.
func javaNonceForms(text, first, flavour, class string, next func() string) (string, []NonceTest) {
	note := "@" + flavour + " "
	if flavour == "junit.framework.TestCase" {
		note = ""
	}
	var b strings.Builder
	var more []NonceTest
	for _, f := range javaForms(first) {
		name := next()
		fmt.Fprintf(&b, "  %spublic void %s() throws Throwable { %s }\n", note, name, f.call())
		more = append(more, NonceTest{ID: class + "::" + name, Form: f.name()})
	}
	if len(more) == 0 {
		return text, nil
	}
	return strings.TrimSuffix(text, "}\n") + b.String() + javaTried + "}\n", more
}

// besideReports keeps the reports of the main run from being overwritten, and
// puts those of the second one into dir/reports: with TestNG all of them are in
// one file, which is called the same in every run.
func besideReports(target, dir, run string) string {
	return fmt.Sprintf("rm -rf %[2]s/reports\nmv %[1]s/surefire-reports %[2]s/main\n%[3]smv %[1]s/surefire-reports %[2]s/reports\n[ ! -d %[2]s/main ] || mv %[2]s/main %[1]s/surefire-reports\n",
		quote(target), quote(dir), run)
}

// testJars sets jars to the archives of the test frameworks that are there.
const testJars = `m2=$HOME/.m2/repository
jars=$(find "$m2/junit" "$m2/org/junit" "$m2/org/testng" "$m2/org/apiguardian" "$m2/org/opentest4j" "$m2/org/hamcrest" -name '*.jar' 2>/dev/null | tr '\n' ':')
`

// nonceScript compiles the class along with those of the main run, so that
// Maven finds nothing changed and compiles nothing again. Where that leaves
// no report Maven compiles it itself.
func nonceScript(module, kept, place, report, run string) string {
	target := path.Join(Root, module, "target")
	return testJars +
		fmt.Sprintf("\"${JAVA_HOME:-/usr}/bin/javac\" -nowarn -proc:none -d %[1]s/test-classes -cp %[1]s/test-classes:%[1]s/classes:\"$jars\" %[2]s && {\n%[3]s}\n",
			quote(target), quote(kept), run) +
		fmt.Sprintf("ls %s/%s >/dev/null 2>&1 || {\ncp %s\n%s}\n", quote(path.Dir(report)), path.Base(report), quoteAll([]string{kept, place}), run)
}

// javaNonceText writes the class; pkg is its package followed by a dot.
func javaNonceText(first, flavour, class, pass, fail string) (text, pkg string) {
	head, note, pkg := javaClassHead(first, flavour, class)
	return head + fmt.Sprintf("  %[1]spublic void %[2]s() { }\n  %[1]spublic void %[3]s() { throw new IllegalStateException(); }\n}\n", note, pass, fail), pkg
}

// javaClassHead begins a test class in the package of a test file; note is the
// annotation before each test.
func javaClassHead(first, flavour, class string) (head, note, pkg string) {
	if m := javaPackage.FindStringSubmatch(first); m != nil {
		head, pkg = fmt.Sprintf("package %s;\n", m[1]), m[1]+"."
	}
	extends, note := "", "@"+flavour+" "
	if flavour == "junit.framework.TestCase" {
		extends, note = " extends "+flavour, ""
	}
	return head + fmt.Sprintf("public class %s%s {\n", class, extends), note, pkg
}

// mavenSurefire runs one class, with all modules that its own needs: Surefire
// alone could not find them.
func mavenSurefire(env bench.Env, file, class string) string {
	args := append([]string{"-B", "-q", "-nsu", "-o"}, testFlags()...)
	if m := moduleOf(env, file); m != "" {
		args = append(args, "-pl", m, "-am")
	} else if len(env.Modules) > 0 {
		args = append(args, "-pl", ".")
	}
	args = append(args, "-Dtest="+class)
	return "mvn " + quoteAll(append(args, env.Args...)) + " test\n"
}
