package languages

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// smallRepo is a tree made of texts.
type smallRepo map[string]string

func (r smallRepo) Paths() []string {
	var out []string
	for p := range r {
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}

func (r smallRepo) Text(p string) string { return r[p] }

func day(s string) time.Time {
	at, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return at
}

func TestPythonVersion(t *testing.T) {
	for name, c := range map[string]struct {
		repo smallRepo
		at   string
		want string
		file string
	}{
		"the newest of the CI that was out":   {smallRepo{".github/workflows/test.yml": "jobs:\n  a:\n    strategy:\n      matrix:\n        python-version: [3.8, 3.9, 3.10, '3.11']\n"}, "2022-12-01", "3.10", ".github/workflows/test.yml"},
		"a list below the key":                {smallRepo{".travis.yml": "python:\n  - 2.7\n  - 3.6\n  - \"3.7\"\ninstall: x\n"}, "2019-08-01", "3.7", ".travis.yml"},
		"workflows for releases do not count": {smallRepo{".github/workflows/release.yml": "python-version: 3.9\n", "tox.ini": "[tox]\nenvlist = py{36,37}-unit\n"}, "2021-01-01", "3.7", "tox.ini"},
		"classifiers":                         {smallRepo{"setup.py": "classifiers=['Programming Language :: Python :: 3.6',\n 'Programming Language :: Python :: 3.8']"}, "2021-01-01", "3.8", "setup.py"},
		"python_requires":                     {smallRepo{"setup.py": "python_requires='>=3.6,<3.8'"}, "2022-01-01", "3.7", "setup.py"},
		"nothing but the date":                {smallRepo{}, "2021-06-01", "3.8", ""},
		"no date":                             {smallRepo{}, "", "3.11", ""},
		"two alone":                           {smallRepo{".travis.yml": "python: 2.7\n"}, "2018-01-01", "2.7", ".travis.yml"},
		"pinned":                              {smallRepo{".python-version": "3.9.7\n"}, "2022-01-01", "3.9", ".python-version"},
	} {
		t.Run(name, func(t *testing.T) {
			f := Facts{Repo: c.repo}
			if c.at != "" {
				f.Created = day(c.at)
			}
			env, chosen, err := pythonLanguage{}.Defaults(bench.Env{}, f)
			require.NoError(t, err)
			require.Equal(t, c.want, env.Python)
			at := slices.IndexFunc(chosen, func(d bench.Decision) bool { return d.Field == "python" })
			require.GreaterOrEqual(t, at, 0)
			require.Equal(t, c.file, chosen[at].File)
		})
	}
}

func TestPythonDefaultsKeepWhatEnvSays(t *testing.T) {
	env := bench.Env{Python: "3.8", Setup: []string{"true"}, Packages: []string{"x"}, Args: []string{"-q"}}
	got, _, err := pythonLanguage{}.Defaults(env, Facts{Repo: smallRepo{"setup.py": "x"}})
	require.NoError(t, err)
	require.Equal(t, "3.8", got.Python)
	require.Equal(t, env.Setup, got.Setup)
	require.Equal(t, env.Packages, got.Packages)
	require.Equal(t, env.Args, got.Args)
	require.Empty(t, pythonLanguage{}.Warm(got, Suite{Repo: smallRepo{}}))
}

func TestNearest(t *testing.T) {
	offered := []Interpreter{{Version: "2.7"}, {Version: "3.9"}, {Version: "3.11"}, {Version: "3.13"}}
	for want, stands := range map[string]string{"3.9": "3.9", "3.6": "3.9", "3.10": "3.11", "3.14": "3.13", "2.7": "2.7"} {
		got, ok := nearest(want, offered)
		require.True(t, ok)
		require.Equal(t, stands, got.Version, want)
	}
	_, ok := nearest("2.7", offered[1:])
	require.False(t, ok)
}

func TestSatisfies(t *testing.T) {
	for spec, versions := range map[string]map[string]bool{
		">=3.6":             {"3.6": true, "2.7": false, "3.13": true},
		">=3.6.2,<3.9":      {"3.6": true, "3.8": true, "3.9": false},
		"^3.7":              {"3.6": false, "3.12": true},
		">=2.7, !=3.6.*,<4": {"3.6": false, "2.7": true, "3.7": true},
		"==3.9.*":           {"3.9": true, "3.10": false},
		">3.7":              {"3.7": false, "3.8": true},
		"<=3.8":             {"3.8": true, "3.9": false},
		"nonsense":          {"3.8": true},
		"":                  {"3.8": true},
	} {
		for v, want := range versions {
			require.Equal(t, want, satisfies(v, spec), "%s in %s", v, spec)
		}
	}
}

func TestReadRequirement(t *testing.T) {
	for line, want := range map[string]string{
		"pytest>=4.6,<5.0":                          "pytest>=4.6,<5.0",
		"pytz>dev":                                  "pytz",
		"torch==2.6.0+cpu":                          "torch==2.6.0",
		"git+https://x.org/a/b.git#egg=b":           "b",
		"b @ git+https://x.org/a/b.git":             "b",
		"a[x, y] == 1.0 ; python_version < '3.8'":   "a[x,y]==1.0 ; python_version < '3.8'",
		"requests --hash=sha256:00":                 "requests",
		"./local":                                   "",
		"https://x.org/a.zip":                       "",
		"C:/x":                                      "",
		"dataclasses;python_version<'3.7'":          "dataclasses ; python_version<'3.7'",
		"git+https://x.org/a/b.git@main#egg=b[all]": "b[all]",
	} {
		got, _ := readRequirement(line)
		require.Equal(t, want, got.text, line)
	}
	_, extras := readRequirement(".[test,all]")
	require.Equal(t, []string{"test", "all"}, extras)
}

func TestParseRequirements(t *testing.T) {
	repo := smallRepo{
		"requirements/test.txt": "-r base.txt\n-e .[redis]\n--extra-index-url https://x.org\nmock \\\n  >=1\n# no\n./here\n",
		"requirements/base.txt": "six\n-r test.txt\n",
	}
	got := parseRequirements(repo, "requirements/test.txt")
	require.Equal(t, []requirement{{"six", "six", "requirements/base.txt", 1}, {"mock>=1", "mock", "requirements/test.txt", 4}}, got.requirements)
	require.Equal(t, []string{"redis"}, got.extras)
	require.Len(t, got.dropped, 2)
}

func TestWanted(t *testing.T) {
	repo := smallRepo{
		"tox.ini":                       "[testenv]\ndeps =\n  {[base]deps}\n  py36: old\n  py37,py38: new\n  -rmore.txt\n  docs: sphinx\nextras = speed\n[base]\ndeps = pytest\n",
		"more.txt":                      "freezegun\n",
		"noxfile.py":                    "def tests(session):\n    session.install('hypothesis', '-e', '.')\ndef lint(session):\n    session.install('flake8')\n",
		"setup.py":                      "setup(tests_require=['nose'], extras_require={'test': ['x'], 'docs': []})",
		"tests/requirements/py3.txt":    "Pillow\n",
		"docs/requirements.txt":         "furo\n",
		"requirements-min.txt":          "old==1\n",
		".github/workflows/ci.yml":      "run: pip install '.[ci]' -r ci.txt pytest-mock wheel\n",
		"ci.txt":                        "codecov\n",
		".github/workflows/docs.yml":    "run: pip install pytest-docs\n",
		"examples/requirements-test.in": "z\n",
	}
	w := wanted(repo, "3.7")
	var names []string
	for _, r := range flat(w.sets) {
		names = append(names, r.name)
	}
	slices.Sort(names)
	require.Equal(t, []string{"codecov", "freezegun", "hypothesis", "new", "nose", "pillow", "pytest", "pytest-mock"}, names)
	var extras []string
	for _, e := range w.extras {
		extras = append(extras, e.value)
	}
	require.Equal(t, []string{"ci", "speed", "test"}, extras)
	require.Equal(t, []string{"x"}, requirementTexts([]requirement{{text: "x", name: "x"}, {text: "tox", name: "tox"}}))
}

func TestPyproject(t *testing.T) {
	p := readPyproject("[dependency-groups]\ntest = ['pytest', {include-group = 'base'}]\nbase = ['six']\n[tool.poetry.dev-dependencies]\npytest = '^5.2'\nmock = {version = '*', markers = \"python_version < '3'\"}\n")
	require.Equal(t, []string{"pytest", "six"}, p.group("test", 0))
	require.Equal(t, []string{"mock ; python_version < '3'", "pytest>=5.2,<6"}, poetryRequirements(p.Tool.Poetry.Dev))
	require.Equal(t, "fine", readPyproject("[project]\nname = 'fine'\n[tool.poetry]\nname = 3\n").Project.Name)
	for spec, want := range map[string]string{"^0.3": ">=0.3,<0.4", "~1.2": "~=1.2.0", "1.4": "==1.4", "*": "", ">=1,<2": ">=1,<2"} {
		require.Equal(t, want, poetrySpecifier(spec), spec)
	}
}

func TestRunnerArgs(t *testing.T) {
	repo := smallRepo{"setup.cfg": "[tool:pytest]\naddopts = --cov=x --cov-fail-under=90 -n auto --strict-markers\n  -p no:warnings\n"}
	args, left := runnerArgs(repo)
	require.Equal(t, []string{"-o", "addopts=--strict-markers -p no:warnings"}, args)
	require.Equal(t, []string{"--cov=x", "--cov-fail-under=90", "-n"}, left)
	args, left = runnerArgs(smallRepo{"pytest.ini": "[pytest]\naddopts = -ra\n"})
	require.Empty(t, args)
	require.Empty(t, left)
}

func TestGoldRequirements(t *testing.T) {
	f := Facts{
		Repo:    smallRepo{"setup.py": "setup(install_requires=['starlette==0.21'])"},
		Gold:    smallRepo{"setup.py": "setup(install_requires=['starlette==0.22', 'six'])"},
		Touched: []string{"setup.py"},
	}
	env, chosen, err := pythonLanguage{}.Defaults(bench.Env{}, f)
	require.NoError(t, err)
	plan := strings.Join(env.Setup, "\n")
	require.Contains(t, plan, "\"overrides\": [\n  \"starlette==0.22\",\n  \"six\"\n ]")
	require.Contains(t, chosen, bench.Decision{Field: "setup", Value: "six", Why: "the gold patch asks for it", File: "setup.py", Line: 1})
}

func TestProjectVersion(t *testing.T) {
	for name, c := range map[string]struct {
		repo  smallRepo
		given string
		want  string
	}{
		"change log":   {smallRepo{"CHANGES.rst": "Changes\n=======\n\n5.4.2 (2020)\n"}, "", "5.4.2"},
		"dataset":      {smallRepo{"CHANGES.rst": "4.0 x\n"}, "5.4", "5.4.0"},
		"release file": {smallRepo{"docs/release/version0.9.rst": "", "docs/release/version0.14.rst": ""}, "", "0.14.0"},
		"date":         {smallRepo{}, "", "2020.2.3"},
	} {
		t.Run(name, func(t *testing.T) {
			c.repo["setup.py"] = "setup(use_scm_version=True, setup_requires=['setuptools_scm'])"
			env, _, err := pythonLanguage{}.Defaults(bench.Env{Vars: map[string]string{"A": "b"}}, Facts{Repo: c.repo, Version: c.given, Created: day("2020-02-03")})
			require.NoError(t, err)
			require.Equal(t, map[string]string{"A": "b", "SETUPTOOLS_SCM_PRETEND_VERSION": c.want}, env.Vars)
		})
	}
}

func TestImportedModules(t *testing.T) {
	f := Facts{Files: []string{"tests/test_a.py"}, Repo: smallRepo{
		"pkg/core.py": "", "tests/conftest.py": "import trio\n", "tests/test_a.py": "import os, yaml\nfrom pkg.core import x\nfrom .util import y\n",
	}}
	require.Equal(t, []string{"os", "trio", "yaml"}, importedModules(f))
}

func FuzzPythonParsers(f *testing.F) {
	for _, s := range []string{"[tox]\nenvlist = py{27,36}\n", "-r a.txt\nb==1 \\\n", "python-version: [3.10, '3.9']\n", "[dependency-groups]\na=[{include-group='a'}]\n", "dependencies:\n - pip\n", "setup(tests_require=['a'])"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		repo := smallRepo{}
		for _, p := range []string{"tox.ini", "setup.cfg", "setup.py", "pyproject.toml", "requirements.txt", "environment.yml", ".travis.yml", "noxfile.py", "a.txt"} {
			repo[p] = text
		}
		one, first, err := pythonLanguage{}.Defaults(bench.Env{}, Facts{Repo: repo, Created: day("2021-01-01")})
		require.NoError(t, err)
		two, second, err := pythonLanguage{}.Defaults(bench.Env{}, Facts{Repo: repo, Created: day("2021-01-01")})
		require.NoError(t, err)
		require.Equal(t, one, two)
		require.Equal(t, first, second)
		require.Positive(t, pythonOrder(one.Python))
	})
}

func TestRequirementsOfPytestTwo(t *testing.T) {
	for text, want := range map[string]string{
		"pytest==2.3.4": "pytest", "pytest<3": "pytest", "pytest<3.1": "pytest<3.1", "pytest==3.10.1": "pytest==3.10.1", "pytest==20": "pytest==20",
		"py==1.4.12": "py", "py==1.11.0": "py==1.11.0", "pluggy==0.4.0": "pluggy", "pluggy==1.0": "pluggy==1.0", "nose==1.3": "nose==1.3",
	} {
		q, _ := readRequirement(text)
		require.Equal(t, []string{want}, requirementTexts([]requirement{q}), text)
	}
}

func TestOldPythons(t *testing.T) {
	offered := []Interpreter{{Version: "2.7", Path: "/p/python2.7"}, {Version: "3.6", Path: "/p/python3.6"}}
	for name, c := range map[string]struct {
		repo      smallRepo
		at        string
		want, has string
	}{
		"two alone":            {smallRepo{".travis.yml": "python: 2.7\n"}, "2018-01-01", "2.7", "virtualenv -q --no-download --python '/p/python2.7'"},
		"three is preferred":   {smallRepo{".travis.yml": "python:\n - 2.7\n - 3.4\n"}, "2015-06-01", "3.4", "/p/python3.6"},
		"translated sources":   {smallRepo{".travis.yml": "python:\n - 2.7\n - 3.3\n", "setup.py": "setup(use_2to3=True)\n"}, "2015-06-01", "2.7", "python2.7"},
		"no list, before 2015": {smallRepo{"setup.py": "x"}, "2013-06-01", "2.7", "python2.7"},
		"no list, later":       {smallRepo{"setup.py": "x"}, "2016-06-01", "3.4", "/p/python3.6"},
		"no list, but three":   {smallRepo{"setup.py": "python_requires='>=3.3'"}, "2014-06-01", "3.3", "/p/python3.6"},
	} {
		t.Run(name, func(t *testing.T) {
			env, _, err := pythonLanguage{}.Defaults(bench.Env{}, Facts{Repo: c.repo, Created: day(c.at), Pythons: offered})
			require.NoError(t, err)
			require.Equal(t, c.want, env.Python)
			require.Contains(t, strings.Join(env.Dependencies, "\n"), c.has)
			plan := strings.Join(env.Setup, "\n")
			require.Equal(t, c.want == "2.7", strings.Contains(plan, `"pip": true`))
			require.Contains(t, plan, `"pytest": "2018-11-13"`)
		})
	}
}
