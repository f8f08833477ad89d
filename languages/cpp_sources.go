package languages

import (
	"path"
	"regexp"
	"strings"

	"assay/bench"
)

// cppSourcesOf are the other repositories that the build needs: submodules at
// the commits that the tree has, and what its CMake files clone or download.
func cppSourcesOf(f Facts, commands []cmakeCommand) (out []bench.Source, why []bench.Decision) {
	seen := map[string]bool{}
	add := func(s bench.Source, file string, line int, reason string) {
		key := s.Repo + "\n" + s.Path
		if s.Path == "" {
			key += "\n" + s.Ref
		}
		if seen[key] || s.Repo == "" || s.Ref == "" || strings.Contains(s.Repo+s.Ref+s.Path, "${") {
			return
		}
		seen[key] = true
		out = append(out, s)
		why = append(why, bench.Decision{Field: "sources", Value: s.Repo + "@" + s.Ref, Why: reason, File: file, Line: line})
	}
	modules := f.Repo.Text(".gitmodules")
	for _, m := range submodules(modules) {
		add(bench.Source{Repo: m.url, Ref: f.Links[m.path], Path: m.path}, ".gitmodules", m.line, "a submodule")
	}
	vars := cmakeVariables(commands)
	for _, c := range commands {
		for _, s := range cloned(c, vars) {
			add(s, c.File, c.Line, "the build clones it")
		}
	}
	for _, d := range imported(commands, vars) {
		add(d.source, d.file, d.line, "the configuration downloads it unless "+d.source.Path+" exists")
	}
	return out, why
}

type submodule struct {
	path, url string
	line      int
}

// submodules reads .gitmodules.
func submodules(text string) []submodule {
	var out []submodule
	for i, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "[submodule") {
			out = append(out, submodule{line: i + 1})
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok || len(out) == 0 {
			continue
		}
		switch m := &out[len(out)-1]; strings.TrimSpace(key) {
		case "path":
			m.path = strings.TrimSpace(value)
		case "url":
			m.url = strings.TrimSpace(value)
		}
	}
	return out
}

// cmakeVariables are those that the files set once, to one value.
func cmakeVariables(commands []cmakeCommand) map[string]string {
	vars, twice := map[string]string{}, map[string]bool{}
	for _, c := range commands {
		if c.Name != "set" || len(c.Args) < 2 || len(c.Args) > 2 && c.arg(2) != "CACHE" && c.arg(2) != "PARENT_SCOPE" {
			continue
		}
		if strings.Contains(c.arg(1), "$ENV{") {
			continue // somebody's own machine
		}
		name := c.arg(0)
		if old, ok := vars[name]; ok && old != c.arg(1) {
			twice[name] = true
		} else {
			vars[name] = c.arg(1)
		}
	}
	for name := range twice {
		delete(vars, name)
	}
	return vars
}

var cmakeReference = regexp.MustCompile(`\$\{([\w.+-]+)\}`)

// expand puts variables in; what is not known stays.
func expand(text string, vars map[string]string) string {
	for range 8 {
		next := cmakeReference.ReplaceAllStringFunc(text, func(ref string) string {
			if v, ok := vars[ref[2:len(ref)-1]]; ok {
				return v
			}
			return ref
		})
		if next == text {
			break
		}
		text = next
	}
	return text
}

var gitHost = regexp.MustCompile(`^(?:https?://|git@|ssh://git@)(?:[\w.-]+)[/:]([\w.-]+)/([\w.-]+?)(?:\.git)?/?$`)

// cloned reads FetchContent, ExternalProject and git clone in a command.
func cloned(c cmakeCommand, vars map[string]string) []bench.Source {
	url := expand(c.after("GIT_REPOSITORY"), vars)
	if c.Name == "fetchcontent_declare" && url == "" {
		url = expand(c.after("URL"), vars)
		if m := githubArchive.FindStringSubmatch(url); m != nil {
			return []bench.Source{{Repo: "https://github.com/" + m[1], Ref: m[2], Name: c.arg(0)}}
		}
		return nil
	}
	ref := expand(c.after("GIT_TAG"), vars)
	if url == "" && c.has("clone") {
		for _, a := range c.Args {
			if a = expand(a, vars); gitHost.MatchString(a) {
				url = a
			}
		}
		ref = expand(c.after("--branch"), vars)
		if ref == "" {
			ref = expand(c.after("-b"), vars)
		}
	}
	if !gitHost.MatchString(url) {
		return nil
	}
	if ref == "" {
		ref = "HEAD"
	}
	s := bench.Source{Repo: url, Ref: ref}
	if c.Name == "fetchcontent_declare" {
		s.Name = c.arg(0)
	}
	return []bench.Source{s}
}

// importer is a function of the project's CMake files that downloads a
// repository's archive from GitHub unless a folder exists.
type importer struct {
	params []string
	url    string // with the function's parameters in it
	folder string
}

type imports struct {
	source bench.Source
	file   string
	line   int
}

var githubArchive = regexp.MustCompile(`^https://github\.com/([\w.-]+/[\w.-]+)/(?:archive|zipball|tarball)/(?:refs/(?:tags|heads)/)?(.+?)(?:\.zip|\.tar\.gz)?$`)

// imported finds calls of such functions.
func imported(commands []cmakeCommand, vars map[string]string) []imports {
	functions := importers(commands)
	var out []imports
	for _, c := range commands {
		fn, ok := functions[c.Name]
		if !ok || len(c.Args) < len(fn.params) {
			continue
		}
		local := map[string]string{}
		for k, v := range vars {
			local[k] = v
		}
		for i, p := range fn.params {
			local[p] = expand(c.arg(i), vars)
		}
		m := githubArchive.FindStringSubmatch(expand(fn.url, local))
		folder, inside := inSource(expand(fn.folder, local))
		if m != nil && inside {
			out = append(out, imports{bench.Source{Repo: m[1], Ref: m[2], Path: folder}, c.File, c.Line})
		}
	}
	return out
}

var sourceDir = regexp.MustCompile(`^\$\{(?:\w+_SOURCE_DIR)\}/`)

// inSource makes a path relative that begins with the project's own folder.
func inSource(p string) (string, bool) {
	at := sourceDir.FindString(p)
	rest := path.Clean(p[len(at):])
	return rest, at != "" && !strings.Contains(rest, "$") && !strings.HasPrefix(rest, "..")
}

// importers reads the functions: their parameters, what they download, and the
// folder whose existence spares the download.
func importers(commands []cmakeCommand) map[string]importer {
	out := map[string]importer{}
	for i, c := range commands {
		if c.Name != "function" && c.Name != "macro" {
			continue
		}
		fn := importer{params: c.Args[min(1, len(c.Args)):]}
		local := map[string]string{}
		for _, in := range commands[i+1:] {
			if in.Name == "endfunction" || in.Name == "endmacro" || in.File != c.File {
				break
			}
			switch {
			case in.Name == "set" && len(in.Args) == 2:
				local[in.arg(0)] = in.arg(1)
			case in.Name == "if" && in.arg(0) == "EXISTS" && fn.folder == "":
				fn.folder = expand(in.arg(1), local)
			case in.Name == "if" && in.arg(0) == "NOT" && in.arg(1) == "EXISTS" && fn.folder == "":
				fn.folder = expand(in.arg(2), local)
			case in.Name == "file" && in.arg(0) == "DOWNLOAD":
				fn.url = expand(in.arg(1), local)
			}
		}
		if fn.url != "" && fn.folder != "" {
			out[strings.ToLower(c.arg(0))] = fn
		}
	}
	return out
}
