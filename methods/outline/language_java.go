package outline

import (
	"path"
	"strings"

	"assay/languages"
	"assay/languages/syntax"
	"assay/languages/token"
)

func javaLanguage() language {
	return language{
		name: languages.Java, apart: 1, qualified: joined("."), tokens: token.Java,
		place:  func(f *File, _ string, prior Function) spot { return f.after(prior) },
		empty:  endOfClass,
		unwrap: unwrapJava, newFile: newJavaFile,
	}
}

// endOfClass is before the brace that closes the file's first class.
func endOfClass(f *File) spot {
	for _, s := range f.parsed.Symbols {
		if s.Kind == syntax.Class {
			return spot{line: max(s.End-1, s.Start), indent: indentOf(f.line(s.Start)) + "    "}
		}
	}
	return spot{line: len(f.lines)}
}

// unwrapJava takes the members out of a class.
func unwrapJava(f *File, code string) string {
	root, _, err := syntax.Nodes(f.lang.name, []byte(code))
	if err != nil {
		return code
	}
	for _, n := range root.Items() {
		body := n.Get("body")
		if n.Kind != "class_declaration" || body == nil || body.End-body.Start < 2 {
			continue
		}
		return dedent(f.lang.name, code[body.Start+1:body.End-1])
	}
	return code
}

// newJavaFile puts code into a class that is called as the file is, unless it
// declares one.
func newJavaFile(p, code string) string {
	parsed, err := syntax.Parse(languages.Java, []byte(code))
	if err == nil {
		for _, s := range parsed.Symbols {
			if s.Kind == syntax.Class && len(s.Parents) == 0 {
				return code + "\n"
			}
		}
	}
	name := strings.TrimSuffix(path.Base(p), path.Ext(p))
	head := ""
	if _, pkg, ok := strings.Cut("/"+path.Dir(p)+"/", "/java/"); ok && pkg != "" {
		head = "package " + strings.ReplaceAll(strings.Trim(pkg, "/"), "/", ".") + ";\n\n"
	}
	return head + "public class " + name + " {\n" + indent(languages.Java, code, "    ") + "\n}\n"
}
