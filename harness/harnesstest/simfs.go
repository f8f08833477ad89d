package harnesstest

import (
	"archive/tar"
	"errors"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"assay/harness"
)

// simFS is a file system in memory: nodes by clean absolute path. Nodes are
// replaced, never changed, so that a clone may share them.
type simFS struct {
	nodes map[string]simNode
	clock int // counts writes, in the stead of time
}

type simNode struct {
	mode    fs.FileMode // with the type bits
	data    []byte
	link    string
	written int // by the file system's clock; 0 for directories
}

func newSimFS() *simFS {
	f := &simFS{nodes: map[string]simNode{}}
	for _, dir := range strings.Fields("/ /dev /dev/shm /etc /opt /root /tmp /usr/local/lib /var/tmp /w") {
		f.mkdir(dir)
	}
	f.put(harness.File{Path: "/etc/passwd", Data: []byte("root:x:0:0::/root:/bin/sh\n")})
	return f
}

func (f *simFS) clone() *simFS { return &simFS{maps.Clone(f.nodes), f.clock} }

func (f *simFS) mkdir(dir string) {
	for d := path.Clean(dir); ; d = path.Dir(d) {
		if _, ok := f.nodes[d]; !ok {
			f.nodes[d] = simNode{mode: fs.ModeDir | 0o755}
		}
		if d == "/" {
			return
		}
	}
}

// put places a file, replacing anything that is there.
func (f *simFS) put(file harness.File) {
	node := simNode{mode: file.Mode, data: slices.Clone(file.Data)}
	if node.mode == 0 {
		node.mode = harness.FileMode
	}
	if file.Link != "" {
		node = simNode{mode: fs.ModeSymlink | 0o777, link: file.Link}
	}
	f.set(path.Clean(file.Path), node)
}

// set places a node by its own path; only directories above are followed.
func (f *simFS) set(p string, node simNode) {
	dir := f.resolve(path.Dir(p))
	f.mkdir(dir)
	f.clock++
	node.written = f.clock
	f.nodes[path.Join(dir, path.Base(p))] = node
}

func (f *simFS) remove(p string) {
	p = path.Clean(p)
	maps.DeleteFunc(f.nodes, func(name string, _ simNode) bool {
		return name == p || strings.HasPrefix(name, p+"/")
	})
}

// resolve follows the links in a path, as far as there are nodes.
func (f *simFS) resolve(p string) string {
	done, rest := "/", strings.Split(strings.Trim(p, "/"), "/")
	for hops := 0; len(rest) > 0; {
		next := path.Join(done, rest[0])
		rest = rest[1:]
		node := f.nodes[next]
		if node.mode&fs.ModeSymlink == 0 || hops > 40 {
			done = next
			continue
		}
		hops++
		if path.IsAbs(node.link) {
			done = "/"
		}
		rest = append(strings.Split(strings.Trim(node.link, "/"), "/"), rest...)
	}
	return done
}

// stat finds a node, following links.
func (f *simFS) stat(p string) (simNode, bool) {
	node, ok := f.nodes[f.resolve(p)]
	return node, ok
}

// read returns the content of a regular file.
func (f *simFS) read(p string) ([]byte, error) {
	node, ok := f.stat(p)
	if !ok {
		return nil, errors.New("No such file or directory")
	}
	if !node.mode.IsRegular() {
		return nil, errors.New("Is not a regular file")
	}
	return node.data, nil
}

// list names what is in a directory, hidden files left out.
func (f *simFS) list(dir string) []string {
	var names []string
	dir = f.resolve(dir)
	for p := range f.nodes {
		if p != "/" && path.Dir(p) == dir && !strings.HasPrefix(path.Base(p), ".") {
			names = append(names, path.Base(p))
		}
	}
	slices.Sort(names)
	return names
}

// collect puts the regular files that match into the result.
func (f *simFS) collect(res *harness.Result, patterns []string, limit int64) {
	res.Files = map[string][]byte{}
	for p, node := range f.nodes {
		matches := func(pattern string) bool { return harness.MatchGlob(pattern, p) }
		if node.mode.IsRegular() && slices.ContainsFunc(patterns, matches) {
			res.Files[p] = slices.Clone(node.data)
			limit -= int64(len(node.data))
		}
	}
	if limit < 0 {
		res.Files = map[string][]byte{}
		if res.End == harness.Exited {
			res.End = harness.CollectLimit
		}
	}
}

// unpack puts the content of an archive below its destination.
func (f *simFS) unpack(a harness.Archive) error {
	r, err := a.Open()
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }()
	tr := tar.NewReader(r)
	for {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		data, err := io.ReadAll(tr)
		if err != nil {
			return err
		}
		p := path.Join(a.Dest, path.Clean("/"+h.Name))
		switch h.Typeflag {
		case tar.TypeDir:
			f.mkdir(p)
		case tar.TypeReg, tar.TypeSymlink:
			f.put(harness.File{Path: p, Data: data, Mode: h.FileInfo().Mode().Perm(), Link: h.Linkname})
		}
	}
}
