package languages

import (
	"regexp"
	"strconv"
	"strings"
)

// activeProfiles are the profiles of a pom that a build with this JDK has
// active by default: by the JDK's version, by a property that must be absent,
// and the default ones where no other is. 0 stands for no JDK.
func activeProfiles(pom *xmlNode, jdk int) []*xmlNode {
	var active, byDefault []*xmlNode
	for _, p := range pom.list("profiles") {
		a := p.find("activation")
		switch {
		case a == nil:
		case a.value("activeByDefault") == "true":
			byDefault = append(byDefault, p)
		case jdk > 0 && a.value("jdk") != "" && matchesJDK(a.value("jdk"), jdk):
			active = append(active, p)
		case strings.HasPrefix(a.value("property", "name"), "!") && a.value("jdk") == "":
			active = append(active, p)
		}
	}
	if len(active) == 0 {
		return byDefault
	}
	return active
}

var jdkBound = regexp.MustCompile(`^\s*([\[(])\s*([\d.]*)[^,\])]*(,?)\s*([\d.]*)[^,\])]*([\])])\s*$`)

// matchesJDK reads what Maven's activation and the enforcer take: a range, the
// beginning of a version, or its negation.
func matchesJDK(want string, jdk int) bool {
	if rest, not := strings.CutPrefix(want, "!"); not {
		return !matchesJDK(rest, jdk)
	}
	low, high, ok := jdkRange(want)
	if !ok {
		return javaLevel(strings.TrimSuffix(want, "+")) == jdk
	}
	return jdk >= low && jdk <= high
}

// jdkRange reads a version range of Maven as the JDKs that it holds.
func jdkRange(text string) (low, high int, ok bool) {
	m := jdkBound.FindStringSubmatch(text)
	if m == nil {
		return 0, 0, false
	}
	low, high = javaLevel(m[2]), 1000
	if m[1] == "(" && low > 0 && !strings.Contains(m[2][1:], ".") {
		low++
	}
	switch {
	case m[3] == "":
		high = low
	case m[4] != "":
		if high = javaLevel(m[4]); m[5] == ")" {
			high--
		}
	}
	return low, high, true
}

// javaLevel reads 1.8, 8, 11.0.2 or 17 as 8, 8, 11 and 17; 0 for anything
// else.
func javaLevel(text string) int {
	text = strings.TrimSpace(text)
	if rest, old := strings.CutPrefix(text, "1."); old && rest != "" {
		text = rest
	}
	end := 0
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	if end == 0 || end > 2 || end < len(text) && !strings.ContainsRune("._-+", rune(text[end])) {
		return 0
	}
	n, err := strconv.Atoi(text[:end])
	if err != nil || n < 1 || n > 40 {
		return 0
	}
	return n
}
