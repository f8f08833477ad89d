package harness

import (
	"io"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The digests are part of the contract with what is on users' disks: when one
// of these changes, the scheme's number must too.
func TestDigestsAreStable(t *testing.T) {
	require.Equal(t, "f45e0290f56d617d5cd82a20f6069cb4943c81cb581b8f5c35bb658e65ddbc64", Digest(sampleRecipe()))
	require.Equal(t, "16a99ad9a9d843040eebb926e0676fa98894c89cb4704694eec17c6eae8ed8f3", Key(sampleJob()))
}

func sampleJob() Job {
	return Job{
		Name: "n", Environment: "env", Remove: []string{"/r"}, Files: []File{{Path: "/f", Data: []byte("d"), Mode: 0o600}, {Path: "/l", Link: "f"}},
		Script: "s", Workdir: "/w", Env: []string{"A=1"}, User: "u", Limits: Limits{Time: time.Second}, Collect: []string{"/c"}, Attempt: 1,
	}
}

func sampleRecipe() Recipe {
	return Recipe{
		Name: "n", Parent: &Recipe{Base: "debian:bookworm"}, Packages: []string{"a", "b"},
		Archives: []Archive{{Dest: "/d", Digest: "sha256:1", Open: func() (io.ReadCloser, error) { return nil, io.EOF }}},
		Files:    []File{{Path: "/f", Data: []byte("d")}}, Script: "s", Workdir: "/w", Env: []string{"A=1"}, Network: true,
	}
}

func TestKeyIsDistinct(t *testing.T) {
	changes := map[string]func(*Job){
		"environment":  func(j *Job) { j.Environment = "other" },
		"remove":       func(j *Job) { j.Remove = nil },
		"path":         func(j *Job) { j.Files[0].Path = "/g" },
		"data":         func(j *Job) { j.Files[0].Data = []byte("e") },
		"mode":         func(j *Job) { j.Files[0].Mode = 0o700 },
		"link":         func(j *Job) { j.Files[1].Link = "g" },
		"file to link": func(j *Job) { j.Files[0].Link = "d" },
		"file order":   func(j *Job) { j.Files[0], j.Files[1] = j.Files[1], j.Files[0] },
		"no file":      func(j *Job) { j.Files = j.Files[:1] },
		"script":       func(j *Job) { j.Script = "t" },
		"no script":    func(j *Job) { j.Script = "" },
		"workdir":      func(j *Job) { j.Workdir = "/" },
		"env":          func(j *Job) { j.Env = append(j.Env, "B=1") },
		"user":         func(j *Job) { j.User = "" },
		"network":      func(j *Job) { j.Network = true },
		"limits":       func(j *Job) { j.Limits.Memory = 1 << 30 },
		"cpus":         func(j *Job) { j.Limits.CPUs = 1.5 },
		"collect":      func(j *Job) { j.Collect = []string{"/d"} },
		"moved":        func(j *Job) { j.Collect, j.Remove = j.Remove, j.Collect },
		"attempt":      func(j *Job) { j.Attempt = 2 },
		"attached":     func(j *Job) { j.Attach = []Attachment{{"e", "/opt/a"}} },
		"attached dir": func(j *Job) { j.Attach = []Attachment{{"e", "/opt/b"}} },
	}
	seen := map[string]string{Key(sampleJob()): "the sample"}
	for name, change := range changes {
		job := sampleJob()
		change(&job)
		require.Empty(t, seen[Key(job)], "%s has the key of", name)
		seen[Key(job)] = name
	}
}

// TestKeyCoversFields fails when a field is added that the encoding does not
// know.
func TestKeyCoversFields(t *testing.T) {
	for typ, n := range map[reflect.Type]int{
		reflect.TypeFor[Job](): 16, reflect.TypeFor[File](): 4, reflect.TypeFor[Limits](): 7,
		reflect.TypeFor[Recipe](): 11, reflect.TypeFor[Archive](): 3,
	} {
		require.Equal(t, n, typ.NumField(), "%s: see Key and Digest, then change this number", typ)
	}
}

func TestKeySame(t *testing.T) {
	a := Job{Script: "s", Files: []File{{Path: "/f"}}}
	b := Job{Name: "label", Script: "s", Workdir: "/", User: "root", Limits: DefaultLimits(), Files: []File{{Path: "/f", Mode: 0o644, Data: []byte{}}}}
	require.Equal(t, Key(a), Key(b))
}

func TestDigestIsDistinct(t *testing.T) {
	changes := map[string]func(*Recipe){
		"base":           func(r *Recipe) { r.Parent = &Recipe{Base: "other"} },
		"no parent":      func(r *Recipe) { r.Parent = nil },
		"grandparent":    func(r *Recipe) { r.Parent = &Recipe{Parent: r.Parent} },
		"packages":       func(r *Recipe) { r.Packages = []string{"a"} },
		"archive":        func(r *Recipe) { r.Archives[0].Digest = "sha256:2" },
		"archive's dest": func(r *Recipe) { r.Archives[0].Dest = "/e" },
		"files":          func(r *Recipe) { r.Files[0].Data = []byte("e") },
		"script":         func(r *Recipe) { r.Script = "t" },
		"workdir":        func(r *Recipe) { r.Workdir = "" },
		"env":            func(r *Recipe) { r.Env = []string{"A=2"} },
		"network":        func(r *Recipe) { r.Network = false },
	}
	seen := map[string]string{Digest(sampleRecipe()): "the sample"}
	for name, change := range changes {
		r := sampleRecipe()
		change(&r)
		require.Empty(t, seen[Digest(r)], "%s has the digest of", name)
		seen[Digest(r)] = name
	}
}

func TestDigestSame(t *testing.T) {
	r := sampleRecipe()
	r.Name, r.Limits = "other", Limits{Time: time.Hour}
	r.Packages = []string{"b", "a", "b"}
	r.Archives[0].Open = nil
	r.Base = "not read above the lowest layer"
	r.Parent.Name = "other"
	require.Equal(t, Digest(sampleRecipe()), Digest(r))
	require.Equal(t, []string{"b", "a", "b"}, r.Packages, "the caller's list was sorted")
}

func BenchmarkKey(b *testing.B) {
	job := sampleJob()
	job.Files[0].Data = make([]byte, 256<<10)
	b.SetBytes(256 << 10)
	for b.Loop() {
		Key(job)
	}
}
