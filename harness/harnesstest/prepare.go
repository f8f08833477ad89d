package harnesstest

import (
	"archive/tar"
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"assay/harness"
)

func prepareChecks() []check {
	return []check{
		{"layer", prepareLayer},
		{"chain", prepareChain},
		{"equal", prepareEqual},
		{"once", prepareOnce},
		{"once-processes", prepareOnceProcesses},
		{"different", prepareDifferent},
		{"files", prepareFiles},
		{"archives", prepareArchives},
		{"archive-error", prepareArchiveError},
		{"failure", prepareFailure},
		{"timeout", prepareTimeout},
		{"cancel", prepareCancel},
		{"no-network", prepareNoNetwork},
		{"secrets", prepareSecrets},
	}
}

func prepareLayer(t *testing.T, s *suite) {
	r := s.layer("pwd > /opt/where", "echo $KIND > /opt/kind")
	r.Workdir = "/opt/work"
	r.Files = []harness.File{{Path: "/opt/work/f"}}
	r.Env = []string{"KIND=layer", "PATH=/opt/bin:/usr/local/bin:/usr/bin:/bin"}
	job := s.job(script("cat /opt/where /opt/kind", "echo $KIND $PATH", "pwd"))
	job.Environment = s.make(t, r)
	require.Equal(t, "/opt/work\nlayer\nlayer /opt/bin:/usr/local/bin:/usr/bin:/bin\n/\n", s.ok(t, job))
	s.clean(t)
}

// prepareChain: content and variables come from all layers, the upper ones
// winning, and a job's own win over them.
func prepareChain(t *testing.T, s *suite) {
	low := s.layer("echo low > /opt/low", "echo low > /opt/both", "echo gone > /opt/gone")
	low.Env = []string{"LOW=1", "BOTH=low", "JOB=low"}
	mid := s.layer("echo $LOW$BOTH > /opt/mid", "echo mid > /opt/both", "rm /opt/gone")
	mid.Parent, mid.Env = &low, []string{"BOTH=mid"}
	top := s.layer("cat /opt/low /opt/both > /opt/top")
	top.Parent = &mid
	job := s.job(script("cat /opt/low /opt/mid /opt/both /opt/top", "test -e /opt/gone || echo removed", "echo $LOW $BOTH $JOB"))
	job.Env = []string{"JOB=job"}
	job.Environment = s.make(t, top)
	require.Equal(t, "low\n1mid\nmid\nlow\nmid\nremoved\n1 mid job\n", s.ok(t, job))
	s.discard(t, s.prepare(t, mid))
	s.discard(t, s.prepare(t, low))
}

// prepareEqual: names for people and limits are not part of a recipe's
// identity.
func prepareEqual(t *testing.T, s *suite) {
	r := s.layer("date +%s%N > /opt/marker")
	name := s.make(t, r)
	marker := s.marker(t, name)
	r.Name, r.Limits = "another label", harness.Limits{Time: 2 * time.Minute}
	parent := *r.Parent
	r.Parent = &parent
	known, err := s.Name(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, name, known)
	require.Equal(t, name, s.prepare(t, r))
	require.Equal(t, marker, s.marker(t, name))
}

func prepareOnce(t *testing.T, s *suite) {
	s.once(t, []Driver{s, s, s, s})
}

func prepareOnceProcesses(t *testing.T, s *suite) {
	if s.o.Another == nil {
		t.Skip("the driver cannot be opened twice here")
	}
	s.once(t, []Driver{s, s.o.Another(t), s, s.o.Another(t)})
}

// once has drivers prepare one recipe at the same moment. Were it made
// twice, one name would stand for two contents.
func (s *suite) once(t *testing.T, drivers []Driver) {
	r := s.layer("date +%s%N > /opt/marker", "sleep 1", "date +%s%N >> /opt/marker")
	names := make([]string, len(drivers))
	markers := make([]string, len(drivers))
	var g errgroup.Group
	for i, d := range drivers {
		g.Go(func() (err error) {
			if names[i], err = d.Prepare(t.Context(), r); err != nil {
				return err
			}
			job := s.job("cat /opt/marker\n")
			job.Environment = names[i]
			res, err := d.Run(t.Context(), job)
			markers[i] = text(res)
			return err
		})
	}
	require.NoError(t, g.Wait())
	s.discard(t, names[0])
	for i := range drivers {
		require.Equal(t, names[0], names[i])
		require.Equal(t, markers[0], markers[i], "the recipe was prepared more than once")
	}
	require.Equal(t, 2, strings.Count(markers[0], "\n"))
	require.Equal(t, markers[0], s.marker(t, names[0]))
	s.clean(t)
}

func (s *suite) marker(t *testing.T, env string) string {
	t.Helper()
	job := s.job("cat /opt/marker\n")
	job.Environment = env
	return s.ok(t, job)
}

// prepareDifferent: every field that makes content is part of the identity.
func prepareDifferent(t *testing.T, s *suite) {
	base := s.layer("echo same > /opt/f")
	seen := map[string]bool{s.make(t, base): true}
	for name, change := range map[string]func(r *harness.Recipe){
		"script": func(r *harness.Recipe) { r.Script += "echo more\n" },
		"env":    func(r *harness.Recipe) { r.Env = []string{"A=1"} },
		"files":  func(r *harness.Recipe) { r.Files = []harness.File{{Path: "/opt/g"}} },
		"mode":   func(r *harness.Recipe) { r.Files = []harness.File{{Path: "/opt/g", Mode: 0o755}} },
		"parent": func(r *harness.Recipe) { p := s.layer("echo parent"); r.Parent = &p },
	} {
		r := base
		change(&r)
		env := s.make(t, r)
		require.False(t, seen[env], "%s makes no difference", name)
		seen[env] = true
	}
}

func prepareFiles(t *testing.T, s *suite) {
	r := s.layer("sh /opt/in/run.sh > /opt/in/ran")
	r.Files = []harness.File{
		{Path: "/opt/in/run.sh", Data: []byte("echo ran\n"), Mode: 0o755},
		{Path: "/opt/in/link", Link: "run.sh"},
	}
	job := s.job("cat /opt/in/ran\nstat -c %a /opt/in/run.sh\nreadlink /opt/in/link\n")
	job.Environment = s.make(t, r)
	require.Equal(t, "ran\n755\nrun.sh\n", s.ok(t, job))
}

// prepareArchives: archives are unpacked before the script, with modes and
// links; their digest alone reports whether they are the same.
func prepareArchives(t *testing.T, s *suite) {
	digest := "sha256:" + nonce()
	opened := 0
	r := s.layer("cat /opt/src/dir/f > /opt/copy")
	r.Archives = []harness.Archive{{Dest: "/opt/src", Digest: digest, Open: func() (io.ReadCloser, error) {
		opened++
		return io.NopCloser(bytes.NewReader(tarOf(t, "packed\n"))), nil
	}}}
	env := s.make(t, r)
	job := s.job("cat /opt/copy\nstat -c %a /opt/src/run\nreadlink /opt/src/link\n")
	job.Environment = env
	require.Equal(t, "packed\n755\ndir/f\n", s.ok(t, job))
	before := opened
	require.Equal(t, env, s.prepare(t, r))
	require.Equal(t, before, opened, "an archive of a prepared recipe was read again")
	r.Archives = []harness.Archive{{Dest: "/opt/src", Digest: "sha256:" + nonce(), Open: r.Archives[0].Open}}
	require.NotEqual(t, env, s.make(t, r))
}

func prepareNoNetwork(t *testing.T, s *suite) {
	r := s.layer("while read -r iface rest; do echo \"$iface\"; done < /proc/net/route > /opt/marker")
	require.Equal(t, "Iface\n", s.marker(t, s.make(t, r)))
}

// prepareSecrets: nor do set-up steps, and the layers they make, get the
// harness's variables.
func prepareSecrets(t *testing.T, s *suite) {
	r := s.layer("env > /opt/marker", "cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' >> /opt/marker || true")
	r.Env = []string{"OWN=seen"}
	env := s.marker(t, s.make(t, r))
	require.Contains(t, env, "OWN=seen")
	require.NotContains(t, env, secret)
}

func tarOf(t *testing.T, content string) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for _, h := range []tar.Header{
		{Name: "dir/", Typeflag: tar.TypeDir, Mode: 0o755},
		{Name: "dir/f", Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(content))},
		{Name: "run", Typeflag: tar.TypeReg, Mode: 0o755},
		{Name: "link", Typeflag: tar.TypeSymlink, Linkname: "dir/f", Mode: 0o777},
	} {
		require.NoError(t, w.WriteHeader(&h))
		if h.Name == "dir/f" {
			_, err := io.WriteString(w, content)
			require.NoError(t, err)
		}
	}
	require.NoError(t, w.Close())
	return buf.Bytes()
}
