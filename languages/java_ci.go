package languages

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// ciFiles are the files that list the JDKs that a project is tested with.
func ciFiles(repo Repository) []string {
	var out []string
	for _, p := range repo.Paths() {
		dir, name := path.Split(p)
		ext := path.Ext(name)
		switch {
		case dir == ".github/workflows/" && (ext == ".yml" || ext == ".yaml"), dir == ".circleci/" && ext == ".yml",
			dir == "" && slices.Contains([]string{".travis.yml", "appveyor.yml", ".appveyor.yml", "azure-pipelines.yml", ".gitlab-ci.yml", "jitpack.yml", ".java-version", ".sdkmanrc", ".tool-versions"}, name):
			out = append(out, p)
		}
	}
	return out
}

var (
	ciKey   = regexp.MustCompile(`(?i)^[\s-]*["']?(java|jdk|java[._-]?versions?|jdk[._-]?versions?|javaversion)["']?\s*[:=]\s*(.*)$`)
	ciItem  = regexp.MustCompile(`^\s*-\s+["']?([\w.+-]+)["']?\s*(#.*)?$`)
	ciJDK   = regexp.MustCompile(`(?i)(?:^|[^\w.])(?:(?:open|oracle)?jdk[-:_]?|temurin[-@]?|zulu[-@]?|adopt[-@]?|java[-_ ]?|corretto[-@]?)?(\d{1,2}(?:\.\d+)*)(?:[-+_.][\w.+-]*)?(?:$|[^\w.])`)
	ciPlain = regexp.MustCompile(`^\s*(?:java[= ]\s*)?(?:\w+-)?(\d{1,2}(?:\.\d+)*)\S*\s*$`)
)

// ciJDKs reads the JDKs from the CI files: the keys that Travis, GitHub's
// setup-java and most matrices use.
func ciJDKs(repo Repository) []javaFact {
	var out []javaFact
	for _, file := range ciFiles(repo) {
		if strings.HasSuffix(file, "yml") || strings.HasSuffix(file, "yaml") {
			out = append(out, yamlJDKs(file, repo.Text(file))...)
			continue
		}
		for i, line := range strings.Split(repo.Text(file), "\n") {
			if m := ciPlain.FindStringSubmatch(line); m != nil && javaLevel(m[1]) > 0 {
				out = append(out, ciFact(file, i+1, javaLevel(m[1])))
			}
		}
	}
	return out
}

func ciFact(file string, line, jdk int) javaFact {
	return javaFact{jdk: jdk, what: fmt.Sprintf("JDK %d", jdk), file: file, line: line}
}

// yamlJDKs reads keys with a value, a list in brackets or a list below.
func yamlJDKs(file, text string) []javaFact {
	var out []javaFact
	inList := false
	for i, line := range strings.Split(text, "\n") {
		value := ""
		if m := ciKey.FindStringSubmatch(line); m != nil {
			value, _, _ = strings.Cut(m[2], " #")
			inList = strings.TrimSpace(value) == "" || strings.HasPrefix(value, "[") && !strings.Contains(value, "]")
		} else if m := ciItem.FindStringSubmatch(line); inList && m != nil {
			value = m[1]
		} else if trimmed := strings.TrimSpace(line); trimmed != "" && !strings.HasPrefix(trimmed, "#") {
			if strings.Trim(trimmed, "[], '\"0123456789.") == "" && inList {
				value = line
			} else {
				inList = false
			}
		}
		if strings.Contains(value, "${{") {
			continue
		}
		for part := range strings.SplitSeq(value, ",") {
			if m := ciJDK.FindStringSubmatch(" " + strings.Trim(part, " []'\"") + " "); m != nil && javaLevel(m[1]) > 0 {
				out = append(out, ciFact(file, i+1, javaLevel(m[1])))
			}
		}
	}
	return out
}
