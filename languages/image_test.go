package languages

import (
	"context"
	"path"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness"
	"assay/internal/patch"
)

// imageOf is an image's files, which jobs without a script copy out.
type imageOf struct {
	files map[string]string
	jobs  int
}

func (i *imageOf) Run(_ context.Context, job harness.Job) (harness.Result, error) {
	i.jobs++
	res := harness.Result{End: harness.Exited, Files: map[string][]byte{}}
	if job.Script == findRepositories {
		res.Files["/assay-roots"] = []byte("/srv/calc\n")
	}
	for _, g := range job.Collect {
		for name, text := range i.files {
			if ok, err := path.Match(g, name); err != nil {
				return res, err
			} else if ok {
				res.Files[name] = []byte(text)
			}
		}
	}
	return res, nil
}

// TestImageIsReadOnce: the first files come with what shows where the
// repository is.
func TestImageIsReadOnce(t *testing.T) {
	for name, c := range map[string]struct {
		root, workdir, at string
		jobs              int
	}{
		"the usual place":          {"", "/", "/testbed", 1},
		"the working directory":    {"", "/home/[calc]", "/home/[calc]", 1},
		"before the usual place":   {"", "/home/calc", "/home/calc", 1},
		"the instance says it":     {"/opt/calc", "/", "/opt/calc", 1},
		"found by a look around":   {"", "/home", "/srv/calc", 3},
		"the root of the machine":  {"", "/", "/", 1},
		"the working folder's own": {"", "", "/testbed", 1},
	} {
		t.Run(name, func(t *testing.T) {
			image := &imageOf{files: map[string]string{"/testbed/a.py": "another\n"}}
			for _, f := range []string{".git/HEAD", "a.py", "b.py"} {
				image.files[path.Join(c.at, f)] = f + "\n"
			}
			bed := &Testbed{
				instance: &bench.Instance{Image: "x", Language: Python, Root: c.root},
				machine:  Machine{Images: fakeImages{c.workdir}, Runner: image},
			}
			bed.once.Do(func() { bed.name = "x" })
			tree := &imageTree{testbed: bed, files: map[string]patch.Entry{}}
			require.NoError(t, tree.load(t.Context(), []string{"a.py", "none.py"}))
			require.Equal(t, c.at, bed.Root())
			require.Equal(t, c.jobs, image.jobs)
			e, err := tree.Read("a.py")
			require.NoError(t, err)
			require.Equal(t, "a.py\n", string(e.Data))
			_, err = tree.Read("none.py")
			require.ErrorContains(t, err, "none.py")
			require.NoError(t, tree.load(t.Context(), []string{"a.py", "none.py"}))
			require.Equal(t, c.jobs, image.jobs, "what was read is not read again")
			require.NoError(t, tree.load(t.Context(), []string{"b.py"}))
			require.Equal(t, c.jobs+1, image.jobs)
			e, err = tree.Read("b.py")
			require.NoError(t, err)
			require.Equal(t, "b.py\n", string(e.Data))
		})
	}
}
