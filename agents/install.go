package agents

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"assay/agents/adapter"
	"assay/harness"
	"assay/internal/mirror"
	"assay/languages"
)

// install prepares the environment that holds the agent in adapter.Dir, once
// for all tasks, and returns its name; "" where nothing is to be installed.
func (c CLI) install(ctx context.Context, m languages.Machine) (string, error) {
	r, err := c.Recipe(ctx, m)
	if err != nil || r == nil {
		return "", err
	}
	name, err := m.Preparer.Prepare(ctx, *r)
	if err != nil {
		return "", fmt.Errorf("installing it: %w", err)
	}
	return name, nil
}

// Recipe is the layer that installs the agent; nil where nothing is to be
// installed.
func (c CLI) Recipe(ctx context.Context, m languages.Machine) (*harness.Recipe, error) {
	i := c.Adapter.Install
	if i.Script == "" && len(i.Python)+len(i.Npm) == 0 && i.Node == "" && i.Source == nil && i.Folder == "" {
		return nil, nil
	}
	python, err := choosePython(i, m.Pythons)
	if err != nil {
		return nil, err
	}
	shared := hasOwnPythons(m.Pythons)
	r := &harness.Recipe{
		Name: "agent " + c.Name(), Base: python.Base, Packages: packages(i, python, shared), Script: c.Adapter.Script(program(python), !shared),
		Workdir: "/", Network: true, Limits: harness.Limits{Time: time.Hour, Memory: 8 << 30, Disk: 16 << 30, Processes: 4096},
	}
	if i.Source != nil {
		a, err := sourceOf(ctx, *i.Source, m)
		if err != nil {
			return nil, err
		}
		r.Archives = append(r.Archives, a)
	}
	if i.Folder != "" {
		a, err := archiveOf(c.own())
		if err != nil {
			return nil, err
		}
		r.Archives = append(r.Archives, a)
	}
	return r, nil
}

// choosePython finds the interpreter for the agent; the zero value where it
// needs none.
func choosePython(i adapter.Install, have []languages.Interpreter) (languages.Interpreter, error) {
	var versions []string
	for _, p := range have {
		versions = append(versions, p.Version)
	}
	version, err := i.PythonFor(versions)
	if err != nil || version == "" {
		return languages.Interpreter{}, err
	}
	return have[slices.Index(versions, version)], nil
}

// program is the interpreter's program.
func program(p languages.Interpreter) string {
	if p.Path == "" {
		return "python3"
	}
	return p.Path
}

// hasOwnPythons reports whether environments are made with interpreters of the
// machine itself, at the same path in all of them.
func hasOwnPythons(have []languages.Interpreter) bool {
	return slices.ContainsFunc(have, func(p languages.Interpreter) bool { return p.Path != "" && p.Base == "" })
}

// packages are what the installation itself needs. The machine's own tools do
// where its interpreters do.
func packages(i adapter.Install, chosen languages.Interpreter, shared bool) []string {
	out := slices.Clone(i.Packages)
	if shared {
		return out
	}
	out = append(append(out, chosen.Packages...), "ca-certificates")
	if len(i.Python) > 0 {
		out = append(out, "python3", "python3-venv", "patchelf", "libstdc++6")
	}
	if i.Node != "" {
		out = append(out, "npm")
	}
	if i.Source != nil {
		out = append(out, "git") // which programs that are made for a checkout may call
	}
	return out
}

func sourceOf(ctx context.Context, s adapter.Source, m languages.Machine) (harness.Archive, error) {
	repo, err := m.Sources.Open(ctx, s.Repo, s.Commit)
	if err != nil {
		return harness.Archive{}, fmt.Errorf("its source: %w", err)
	}
	tree, err := repo.Tree(ctx, s.Commit)
	if err != nil {
		return harness.Archive{}, fmt.Errorf("its source: %w", err)
	}
	missing, err := tree.Missing(ctx) // a mirror may lack large files, which programs do not need
	if err != nil {
		return harness.Archive{}, fmt.Errorf("its source: %w", err)
	}
	a, err := repo.Archive(ctx, s.Commit, mirror.Without(missing))
	if err != nil {
		return harness.Archive{}, fmt.Errorf("its source: %w", err)
	}
	return harness.Archive{Dest: adapter.Dir + "/src", Digest: a.Digest, Open: a.Open}, nil
}

// own is the folder of the user's that belongs to the agent; "" for none.
func (c CLI) own() string {
	if c.Adapter.Install.Folder == "" {
		return ""
	}
	if filepath.IsAbs(c.Adapter.Install.Folder) {
		return c.Adapter.Install.Folder
	}
	return filepath.Join(c.Folder, c.Adapter.Install.Folder)
}

// folderDigest identifies the content of a folder; "" for none.
func folderDigest(dir string) string {
	if dir == "" {
		return ""
	}
	a, err := archiveOf(dir)
	if err != nil {
		return err.Error()
	}
	return a.Digest
}

// archiveOf is a folder as an archive for adapter.Dir/own. It is read into
// memory: such folders hold programs.
func archiveOf(dir string) (harness.Archive, error) {
	var b bytes.Buffer
	if err := writeFolder(&b, dir); err != nil {
		return harness.Archive{}, fmt.Errorf("reading %s: %w", dir, err)
	}
	sum := sha256.Sum256(b.Bytes())
	return harness.Archive{
		Dest: adapter.Dir + "/own", Digest: hex.EncodeToString(sum[:]),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b.Bytes())), nil },
	}, nil
}

// writeFolder writes the regular files and links of a folder as tar, in sorted
// order and with one time.
func writeFolder(w io.Writer, dir string) error {
	tw := tar.NewWriter(w)
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || p == dir {
			return err
		}
		return writeMember(tw, dir, p, d)
	})
	if err != nil {
		return err
	}
	return tw.Close()
}

func writeMember(tw *tar.Writer, dir, p string, d fs.DirEntry) error {
	info, err := d.Info()
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(dir, p)
	if err != nil {
		return err
	}
	h := &tar.Header{Name: filepath.ToSlash(rel), Mode: 0o644, ModTime: time.Unix(1, 0)}
	switch {
	case info.IsDir():
		h.Typeflag, h.Mode, h.Name = tar.TypeDir, 0o755, h.Name+"/"
		return tw.WriteHeader(h)
	case info.Mode()&fs.ModeSymlink != 0:
		h.Typeflag = tar.TypeSymlink
		if h.Linkname, err = os.Readlink(p); err != nil {
			return err
		}
		return tw.WriteHeader(h)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is neither a file nor a link", rel)
	}
	data, err := os.ReadFile(p)
	if err != nil {
		return err
	}
	h.Typeflag, h.Size = tar.TypeReg, int64(len(data))
	if info.Mode()&0o100 != 0 {
		h.Mode = 0o755
	}
	if err := tw.WriteHeader(h); err != nil {
		return err
	}
	_, err = tw.Write(data)
	return err
}
