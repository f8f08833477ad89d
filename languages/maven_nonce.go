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

// mavenFlavour tells which JUnit a test file is written for, or TestNG.
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

// nonceFile is the file beside which the nonce class is laid: of those that the
// patches bring the first one whose framework is known, or else of all.
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

// mavenNonce lays its class into the tree only when the main run is over:
// checkers of style would find it there.
func mavenNonce(env bench.Env, suite Suite) *Nonce {
	first, flavour := nonceFile(suite)
	if first == "" {
		return nil
	}
	half := len(suite.Nonce) / 2
	class := "N" + suite.Nonce + "Test"
	pass, fail := "test"+suite.Nonce[:half], "test"+suite.Nonce[half:]
	text, pkg := javaNonceText(suite.Repo.Text(first), flavour, class, pass, fail)
	text, more := javaNonceForms(text, suite.Repo.Text(first), flavour, pkg+class, pass)
	report := path.Join(Root, moduleOf(env, first), "target/surefire-reports/TEST-"+pkg+class+".xml")
	kept := suite.dir() + "/nonce/" + class + ".java"
	run := mavenSurefire(env, first, pkg+class)
	if flavour == testNG {
		run = besideReports(path.Join(Root, moduleOf(env, first), "target"), suite.dir()+"/nonce", run)
		report = suite.dir() + "/nonce/reports/TEST-*.xml"
	}
	return &Nonce{
		Script:  nonceScript(moduleOf(env, first), kept, path.Join(Root, path.Dir(first), class+".java"), report, run),
		Files:   []harness.File{{Path: kept, Data: []byte(text)}},
		Reports: []string{report},
		Format:  reports.Surefire,
		Pass:    pkg + class + "::" + pass,
		Fail:    pkg + class + "::" + fail,
		More:    more,
	}
}

// javaNonceForms adds to the class a test for each assertion that a test file
// uses; all of them must fail.
func javaNonceForms(text, first, flavour, class, pass string) (string, []NonceTest) {
	note := "@" + flavour + " "
	if flavour == "junit.framework.TestCase" {
		note = ""
	}
	var b strings.Builder
	var more []NonceTest
	for i, f := range javaForms(first) {
		name := fmt.Sprintf("%sx%d", pass, i)
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

// nonceScript compiles the class beside those of the main run, so that Maven
// finds nothing changed and compiles nothing anew. Where that leaves no report
// Maven compiles it itself.
func nonceScript(module, kept, place, report, run string) string {
	target := path.Join(Root, module, "target")
	return "m2=$HOME/.m2/repository\n" +
		"jars=$(find \"$m2/junit\" \"$m2/org/junit\" \"$m2/org/testng\" \"$m2/org/apiguardian\" \"$m2/org/opentest4j\" \"$m2/org/hamcrest\" -name '*.jar' 2>/dev/null | tr '\\n' ':')\n" +
		fmt.Sprintf("\"${JAVA_HOME:-/usr}/bin/javac\" -nowarn -proc:none -d %[1]s/test-classes -cp %[1]s/test-classes:%[1]s/classes:\"$jars\" %[2]s && {\n%[3]s}\n",
			quote(target), quote(kept), run) +
		fmt.Sprintf("ls %s/%s >/dev/null 2>&1 || {\ncp %s\n%s}\n", quote(path.Dir(report)), path.Base(report), quoteAll([]string{kept, place}), run)
}

// javaNonceText writes the class; pkg is its package with a dot behind it.
func javaNonceText(first, flavour, class, pass, fail string) (text, pkg string) {
	var b strings.Builder
	if m := javaPackage.FindStringSubmatch(first); m != nil {
		fmt.Fprintf(&b, "package %s;\n", m[1])
		pkg = m[1] + "."
	}
	extends, note := "", "@"+flavour+" "
	if flavour == "junit.framework.TestCase" {
		extends, note = " extends "+flavour, ""
	}
	fmt.Fprintf(&b, "public class %s%s {\n", class, extends)
	fmt.Fprintf(&b, "  %spublic void %s() { }\n", note, pass)
	fmt.Fprintf(&b, "  %spublic void %s() { throw new IllegalStateException(); }\n}\n", note, fail)
	return b.String(), pkg
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
