package languages

import (
	"path"
	"strings"
)

// filesOf are the test files that hold an instance's published tests,
// as far as their ids show: a test that must keep passing may be in a file
// that the hidden test patch does not touch.
func filesOf(ids []string, index pathIndex, find func(id string, index pathIndex) string) []string {
	set := map[string]bool{}
	for _, id := range ids {
		if f := find(id, index); f != "" {
			set[f] = true
		}
	}
	return sortedKeys(set)
}

// pathIndex finds sources by their path, and by their path below any folder.
type pathIndex struct {
	paths  map[string]bool
	byBase map[string][]string
}

func indexPaths(paths, extensions []string) pathIndex {
	x := pathIndex{paths: map[string]bool{}, byBase: map[string][]string{}}
	for _, p := range paths {
		for _, ext := range extensions {
			if strings.HasSuffix(p, ext) {
				x.paths[p] = true
				base := strings.TrimSuffix(path.Base(p), ext)
				x.byBase[base] = append(x.byBase[base], p)
			}
		}
	}
	return x
}

// pythonFile reads path/to/test_x.py::name, pkg.test_x.Class::name and
// unittest's name (pkg.test_x.Class), where pkg may be in any folder.
func pythonFile(id string, x pathIndex) string {
	head, _, _ := strings.Cut(id, "::")
	if m := unittestForm.FindStringSubmatch(id); m != nil {
		return x.below(strings.Split(m[2], "."), ".py")
	}
	if x.paths[head] {
		return head
	}
	parts := strings.Split(head, ".")
	for n := len(parts); n > 0; n-- {
		if p := strings.Join(parts[:n], "/") + ".py"; x.paths[p] {
			return p
		}
	}
	return ""
}

// below is the only file with these names, or all but the last ones of them,
// below any folder; "" where there are several.
func (x pathIndex) below(parts []string, ext string) string {
	for n := len(parts); n > 0; n-- {
		end, found := "/"+strings.Join(parts[:n], "/")+ext, ""
		for _, p := range x.byBase[parts[n-1]] {
			switch {
			case !strings.HasSuffix("/"+p, end):
			case found != "":
				return ""
			default:
				found = p
			}
		}
		if found != "" {
			return found
		}
	}
	return ""
}

// javaFile reads pkg.Class$Nested::method and pkg.Class.method.
func javaFile(id string, x pathIndex) string {
	head, _, _ := strings.Cut(id, "::")
	head, _, _ = strings.Cut(head, "$")
	head, _, _ = strings.Cut(head, "(")
	parts := strings.Split(head, ".")
	for n := len(parts); n > 0 && n >= len(parts)-1; n-- {
		want := "/" + strings.Join(parts[:n], "/") + "."
		for _, p := range x.byBase[parts[n-1]] {
			if strings.Contains("/"+p, want) {
				return p
			}
		}
	}
	return ""
}
