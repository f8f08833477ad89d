package languages

import (
	encoding "encoding/xml"
	"slices"
	"strings"

	"assay/bench"
)

// toolchainSetup writes the file in which Maven looks for the JDKs that poms ask
// for by the toolchains' plugin: each one asked for is the environment's own.
func toolchainSetup(env bench.Env, r *reactor, modules []*mavenModule) ([]string, []bench.Decision) {
	var wanted []string
	at := javaFact{}
	for _, m := range modules {
		m.pom.each(func(n *xmlNode) bool {
			if n.name == "jdkToolchain" || n.name == "jdk" && n.within("toolchains") {
				wanted = append(wanted, r.provided(m, n, env.JDK))
				if at.file == "" {
					at = javaFact{file: m.file, line: n.line}
				}
			}
			return n.name != "profile"
		})
	}
	if len(wanted) == 0 || env.JDK == "" || strings.Trim(env.JDK, "0123456789") != "" {
		return nil, nil
	}
	slices.Sort(wanted)
	var b strings.Builder
	b.WriteString("mkdir -p \"$HOME/.m2\"\ncat >\"$HOME/.m2/toolchains.xml\" <<'ASSAY'\n<toolchains>\n")
	for _, p := range slices.Compact(wanted) {
		b.WriteString("<toolchain><type>jdk</type><provides>" + p + "</provides><configuration><jdkHome>" + toolchainHome(env) + "</jdkHome></configuration></toolchain>\n")
	}
	b.WriteString("</toolchains>\nASSAY")
	why := bench.Decision{Field: "setup", Value: "toolchains.xml", Why: "the poms ask for a JDK by Maven's toolchains: it is the environment's", File: at.file, Line: at.line}
	return []string{b.String()}, []bench.Decision{why}
}

func toolchainHome(env bench.Env) string {
	if home := env.Vars["JAVA_HOME"]; home != "" {
		return home
	}
	return jdkHome(env.JDK)
}

// provided repeats what is asked for, with the JDK's own version for a range.
func (r *reactor) provided(m *mavenModule, n *xmlNode, jdk string) string {
	var b strings.Builder
	for _, c := range n.children {
		text := r.value(m, c.text)
		if low, _, ok := jdkRange(text); c.name == "version" && ok {
			if text = jdk; low <= 8 && jdk == "8" {
				text = "1.8"
			}
		}
		b.WriteString("<" + c.name + ">")
		_ = encoding.EscapeText(&b, []byte(strings.ReplaceAll(text, "\n", " "))) // a Builder does not fail
		b.WriteString("</" + c.name + ">")
	}
	return b.String()
}
