package collect

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness"
	"assay/languages"
)

// fitter answers from lists, one after the other.
type fitter struct {
	first   Recipe
	causes  []Cause
	repairs []Recipe // none: no change
	broken  error
	sites   []Site
	told    []string // failures that it was asked about
}

func (f *fitter) Name() string { return "fake/one" }

func (f *fitter) Extract(_ context.Context, s Site) (Recipe, error) {
	f.sites = append(f.sites, s)
	return f.first, f.broken
}

func (f *fitter) Diagnose(_ context.Context, _ Site, _ Recipe, failure string) (Cause, string, error) {
	f.told = append(f.told, failure)
	c := f.causes[0]
	f.causes = f.causes[1:]
	return c, "since", nil
}

func (f *fitter) Repair(context.Context, Site, Recipe, Cause, string, string) (Recipe, bool, error) {
	if len(f.repairs) == 0 {
		return Recipe{}, false, nil
	}
	r := f.repairs[0]
	f.repairs = f.repairs[1:]
	return r, true, nil
}

// TestNeighbours: instances that inference cannot set up are tried with the
// environments of the nearest commits, for any number of jobs.
func TestNeighbours(t *testing.T) {
	for _, jobs := range []int{1, 3} {
		c := newCollection(t, "valid", "valid", "valid", "valid")
		c.packages = map[string][]string{"owner__name-1": {"libold"}, "owner__name-2": {"libgood"}, "owner__name-3": {"libwrong"}, "owner__name-4": {"libfar"}}
		c.fails["owner__name-3"], c.unless = "no libgood", map[string]string{"owner__name-3": "libgood"}
		ids, folder, err := c.complete(Plan{Jobs: jobs}, 1)
		require.NoError(t, err)
		require.Equal(t, []string{"owner__name-4", "owner__name-3", "owner__name-2", "owner__name-1"}, ids)
		up := folder.SetUps[1]
		require.Equal(t, "neighbour owner__name-2", up.By)
		require.Equal(t, map[string]int{"inference": 3, "neighbour": 1}, folder.SetUpsBy())
		require.Equal(t, []Try{{By: "neighbour owner__name-4", Failure: "no libgood"}, {By: "neighbour owner__name-2"}}, up.Tries)
		inst := c.instances()["owner__name-3"]
		require.Equal(t, []string{"libgood"}, inst.Env.Packages)
		var about Collected
		require.NoError(t, json.Unmarshal(inst.Extra[extraField], &about))
		require.Equal(t, "neighbour owner__name-2", about.EnvironmentBy)

		again, folder, err := c.complete(Plan{Jobs: jobs}, 2)
		require.NoError(t, err)
		require.Equal(t, ids, again)
		require.Equal(t, up.Tries, folder.SetUps[1].Tries, "more runs are in the environment that worked")
	}
}

// TestNeighboursFail: they are tried once, and not where the limit is reached.
func TestNeighboursFail(t *testing.T) {
	c := newCollection(t, "valid", "valid", "valid")
	c.packages = map[string][]string{"owner__name-1": {"libold"}, "owner__name-2": {"libgood"}}
	c.fails["owner__name-2"] = "no"
	_, folder, err := c.complete(Plan{Jobs: 1, Limit: 1}, 1)
	require.NoError(t, err)
	require.Len(t, folder.SetUps, 1)
	_, folder, err = c.complete(Plan{Jobs: 1}, 1)
	require.NoError(t, err)
	require.Len(t, folder.SetUps[1].Tries, 2)
	require.Equal(t, SetUpOther, folder.SetUps[1].Dropped)
	jobs := len(c.machine.jobs)
	_, again, err := c.complete(Plan{Jobs: 1}, 1)
	require.NoError(t, err)
	require.Equal(t, folder.SetUps, again.SetUps)
	require.Len(t, c.machine.jobs, jobs)
}

func recipe(packages ...string) Recipe { return Recipe{Packages: packages} }

// TestFit: extraction, four repairs at most, and the causes that end it.
func TestFit(t *testing.T) {
	for name, c := range map[string]struct {
		fitter fitter
		tries  int
		why    Reason // of the set-up
	}{
		"first":             {fitter{first: recipe("libgood")}, 1, ""},
		"repaired":          {fitter{first: recipe("libbad"), causes: []Cause{CauseInstall}, repairs: []Recipe{recipe("libgood")}}, 2, ""},
		"nothing extracted": {fitter{causes: []Cause{CauseToolChain}, repairs: []Recipe{recipe("libgood")}}, 2, ""},
		"undecidable":       {fitter{first: recipe("libbad"), causes: []Cause{CauseUndecidable}, repairs: []Recipe{recipe("libgood")}}, 1, SetUpOther},
		"no change":         {fitter{first: recipe("libbad"), causes: []Cause{CauseTesting}}, 1, SetUpOther},
		"the fourth repair": {fitter{first: recipe("a1"), causes: []Cause{CauseInstall, CauseInstall, CauseTesting, CauseToolChain}, repairs: []Recipe{recipe("a2"), recipe("a3"), recipe("a4"), recipe("libgood")}}, 5, ""},
		"no fifth one":      {fitter{first: recipe("a1"), causes: []Cause{CauseInstall, CauseInstall, CauseTesting, CauseToolChain}, repairs: []Recipe{recipe("a2"), recipe("a3"), recipe("a4"), recipe("a5"), recipe("libgood")}}, 5, SetUpOther},
	} {
		t.Run(name, func(t *testing.T) {
			w := newCollection(t, "valid")
			w.fails["owner__name-1"], w.unless = "no libgood here", map[string]string{"owner__name-1": "libgood"}
			w.fitter = &c.fitter
			ids, folder, err := w.complete(Plan{Jobs: 1}, 1)
			require.NoError(t, err)
			up := folder.SetUps[0]
			require.Len(t, up.Tries, c.tries)
			require.Equal(t, c.why, up.Dropped)
			require.Equal(t, c.why == "", len(ids) == 1)
			for _, told := range c.fitter.told {
				require.Contains(t, told, "no libgood here")
			}
			require.Equal(t, []Document{{"pyproject.toml", "[project]\nname = 'a'\n"}}, c.fitter.sites[0].Documents)
			if c.why == "" {
				require.Equal(t, "model fake/one", up.By)
				require.Contains(t, w.instances()["owner__name-1"].Env.Packages, "libgood")
			}
			_, again, err := w.complete(Plan{Jobs: 1}, 1)
			require.NoError(t, err)
			require.Equal(t, folder.SetUps, again.SetUps)
			require.Len(t, c.fitter.sites, 1, "nothing is asked twice")
		})
	}
}

// TestFitLimit: a model is asked until there are as many instances as wanted.
func TestFitLimit(t *testing.T) {
	c := newCollection(t, "valid", "valid")
	c.fails = map[string]string{"owner__name-1": "no libgood", "owner__name-2": "no libgood"}
	c.unless = map[string]string{"owner__name-1": "libgood", "owner__name-2": "libgood"}
	f := &fitter{first: recipe("libgood")}
	c.fitter = f
	ids, _, err := c.complete(Plan{Jobs: 1, Limit: 1}, 1)
	require.NoError(t, err)
	require.Equal(t, []string{"owner__name-2"}, ids)
	require.Len(t, f.sites, 1)
}

// TestFitTests: an environment in which the tests fail with gold is not enough,
// and the model learns what they say.
func TestFitTests(t *testing.T) {
	c := newCollection(t, "insane")
	f := &fitter{first: recipe("libone"), causes: []Cause{CauseTesting}}
	c.fitter = f
	_, folder, err := c.complete(Plan{Jobs: 1}, 1)
	require.NoError(t, err)
	require.Contains(t, f.sites[0].Failure, "not_sane: 2 of 4 tests pass with gold")
	require.Len(t, f.told, 1)
	require.Contains(t, f.told[0], "2 of 4 tests pass. Some that do not:\ntests/t.py::test_more0: failed")
	require.Equal(t, NotSane, folder.Checked[0].Dropped)
	require.Len(t, folder.SetUps[0].Tries, 1)
}

// TestFitBroken: a model that cannot be asked ends the work, and nothing is
// noted.
func TestFitBroken(t *testing.T) {
	c := newCollection(t, "valid", "valid")
	c.fails["owner__name-1"] = "no"
	c.fails["owner__name-2"] = "no"
	c.fitter = &fitter{broken: errors.New("the budget is spent")}
	_, folder, err := c.complete(Plan{Jobs: 1}, 1)
	require.ErrorContains(t, err, "the budget is spent")
	require.Empty(t, folder.SetUps[0].Tries)
	require.Empty(t, folder.SetUps[1].Tries)
}

func TestRecipeCheck(t *testing.T) {
	for name, c := range map[string]struct {
		language string
		r        Recipe
		wrong    string
	}{
		"python":      {"python", Recipe{ToolChain: "3.9", Packages: []string{"libxml2-dev", "g++"}, Install: []string{"pip install -e ."}, Variables: map[string]string{"A": "1"}}, ""},
		"java":        {"java", Recipe{ToolChain: "17"}, ""},
		"python 2":    {"python", Recipe{ToolChain: "2.7"}, "tool_chain: expected the version of Python"},
		"not python":  {"python", Recipe{ToolChain: "17"}, "tool_chain: expected the version of Python"},
		"not a JDK":   {"java", Recipe{ToolChain: "3.9"}, "tool_chain: expected the number of the JDK"},
		"c++":         {"cpp", Recipe{ToolChain: "13"}, "tool_chain: expected nothing"},
		"package":     {"cpp", Recipe{Packages: []string{"a; rm -rf /"}}, "packages: expected names"},
		"variable":    {"cpp", Recipe{Variables: map[string]string{"A B": "1"}}, "variables: expected names"},
		"too long":    {"cpp", Recipe{Install: []string{strings.Repeat("x", 5000)}}, "at most 4000 bytes"},
		"too many":    {"cpp", Recipe{Arguments: make([]string, 61)}, "at most 60 items"},
		"zero bytes":  {"cpp", Recipe{Arguments: []string{"a\x00"}}, "at most 4000 bytes"},
		"nothing set": {"cpp", Recipe{}, ""},
	} {
		err := c.r.Check(c.language)
		if c.wrong == "" {
			require.NoError(t, err, name)
			continue
		}
		require.ErrorContains(t, err, c.wrong, name)
	}
}

func TestPythonInstall(t *testing.T) {
	require.Equal(t, []string{
		"export VIRTUAL_ENV=/opt/venv PATH=/opt/venv/bin:$PATH", "export UV_EXCLUDE_NEWER=2024-01-02",
		"/opt/uv/bin/uv pip install -e .[test]", "cd x && /opt/uv/bin/uv pip install y; /opt/uv/bin/uv pip install z", "/opt/uv/bin/uv pip install a", "A=1 /opt/uv/bin/uv pip install b", "/opt/uv/bin/uv pip install c", "make pipinstall",
	}, pythonInstall([]string{"pip install -e .[test]", "cd x && python3 -m pip install y; pip3 install z", "uv pip install a", "A=1 python -m pip install b", "python3.9 -m pip install c", "make pipinstall"}, "2024-01-02"))
}

// TestRecipeEnv: what a recipe leaves open is inferred.
func TestRecipeEnv(t *testing.T) {
	r := newRepository(t)
	r.commit("first", "src/a.py", "a\n", "pyproject.toml", "[project]\nname = 'a'\n[tool.pytest.ini_options]\naddopts = '--cov'\n")
	r.fix("A fix of something, fixes #1")
	inst := split(t, r, Filter{})[0].Instance
	m := languages.Machine{Sources: r.store(), Pythons: []languages.Interpreter{{Version: "3.11", Path: "/usr/bin/python3"}, {Version: "3.9", Path: "/usr/bin/python3.9"}}}
	env, err := Recipe{ToolChain: "3.9", Packages: []string{"libgood"}}.env(t.Context(), m, inst)
	require.NoError(t, err)
	require.Equal(t, "3.9", env.Python)
	require.Equal(t, []string{"libgood", "python3", "python3-venv"}, env.Packages)
	require.Nil(t, env.Setup, "still inferred")
	env, err = Recipe{Install: []string{"pip install -e ."}, Arguments: []string{"-x"}, Variables: map[string]string{"A": "1"}}.env(t.Context(), m, inst)
	require.NoError(t, err)
	require.Equal(t, "/opt/uv/bin/uv pip install -e .", env.Setup[2])
	require.Equal(t, "-x", env.Args[len(env.Args)-1])
	require.Greater(t, len(env.Args), 1, "what inference does to addopts stays")
	require.Equal(t, "1", env.Vars["A"])
	require.Equal(t, bench.Env{Python: "3.9"}, choices(SetUp{Env: &bench.Env{Python: "3.9", TimeoutSeconds: 3}}))
}

func TestDocumentPaths(t *testing.T) {
	require.Equal(t, []string{".github/workflows/ci.yml", "pom.xml", "tox.ini", "README.md", "docs/dev/building.rst", "src/CMakeLists.txt"},
		documentPaths([]string{"README.md", "src/a.py", "docs/dev/building.rst", "src/CMakeLists.txt", "tox.ini", "pom.xml", ".github/workflows/ci.yml", "src/README.md"}))
}

// TestSilentFailure: a failed set-up that prints nothing is still reported, and a
// long line is cut and not lost.
func TestSilentFailure(t *testing.T) {
	silent := &harness.BuildError{Result: harness.Result{End: harness.Exited}}
	require.Equal(t, "The set-up failed and printed nothing.", failureText(silent))
	silent.Result.Output.Tail = []byte(strings.Repeat("x", 5000))
	require.Equal(t, strings.Repeat("x", 4000), failureText(silent))
	_, text := causeOf(silent)
	require.Equal(t, strings.Repeat("x", 600), text)
	require.Equal(t, "b", tail("aaaa\nb", 4))
}
