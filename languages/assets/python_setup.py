"""Set-up of assay for Python: python_setup.py STEP PLAN.json FILE..., run in the repository.

Installs what the plan names into /opt/venv with uv, as of the instance's date.
What tests want beside the project's own requirements is left out where it
cannot be had, with a line that says so; a project that cannot be installed is
an error. docs/environments.md tells the rules.
"""
import json
import os
import re
import shutil
import subprocess
import sys

from python_pip import PipSteps
from python_tools import BUILD, HOME, ROOT, VENV, last, name_of, run, say, settle, untagged, write
from python_uv import UvSteps


class Setup(UvSteps):
    def __init__(self, plan):
        self.plan = plan
        self.root = plan.get("root") or ROOT
        self.later = dict(plan["later"])  # distribution: date until which it is taken
        self.dropped = set()
        self.piped = set()  # tried with pip
        self.registry = set()  # taken from the index, whatever address they have
        self.had = set()  # sets of Debian packages that were installed
        self.python = VENV + "/bin/python"

    # steps

    def dependencies(self):
        """The project's requirements and all that tests want, in one resolution
        if there is one; else the project's first and the rest as far as it goes."""
        plan = self.plan
        sources = [self.root + "/" + plan["project"]] if plan["project"] else []
        groups = plan["sets"] + [plan["always"]]
        every = [r for g in groups for r in g]
        required = [name_of(r) for r in plan["always"]]
        good, log = self.install(every, sources, plan["extras"], required=required)
        if good:
            return
        say("not all at once:", last(log))
        good, log = self.install(plan["always"], sources, plan["extras"], required=required)
        if not good:
            say("the requirements do not resolve as of the date:", last(log))
            self.tell("the project's requirements as of the day of the set-up", "they do not resolve as of the date")
            date, plan["date"] = plan["date"], ""
            # setuptools lost pkg_resources in the meantime.
            today = [r + "<81" if r == "setuptools" else r for r in plan["always"]]
            good, log = self.install(today, sources, plan["extras"], required=required)
            plan["date"] = date
            if not good:
                sys.exit(log + "\nassay: the project's requirements cannot be installed")
        for group in plan["sets"]:
            self.optional(group)

    def optional(self, group):
        good, log = self.install(group)
        if good or len(group) < 2:
            if not good:
                say("left out:", *(group + [last(log, 2)]))
                self.tell("without " + " ".join(group), last(log, 1))
            return
        for half in (group[: len(group) // 2], group[len(group) // 2 :]):
            self.optional(half)

    def build_requirements(self, names):
        """Keeps the build back end for builds without network."""
        if not names:
            return
        good, log = self.install(names, more=["--target", BUILD], required=[name_of(n) for n in names])
        if not good:
            say("the build's requirements are not kept:", last(log, 2))
        for name in os.listdir(BUILD):
            # What the environment has itself must not be there twice.
            if re.match(r"(numpy|scipy)([-.]|$)", name) and run([self.python, "-c", "import numpy"])[0]:
                shutil.rmtree(BUILD + "/" + name, ignore_errors=True)

    def project(self):
        """Installs the project in place: by PEP 660, or by setup.py develop where
        the back end of that time does not know it."""
        plan, log = self.plan, ""
        if not plan["project"]:
            return
        # A build in a folder of its own would vanish with its back end.
        if plan["shared"]:
            good, log = self.install(plan["build"], required=[name_of(n) for n in plan["build"]])
            for _ in range(3):
                good, log = run(["uv", "pip", "install", "--no-deps", "--no-build-isolation", "-e", self.root])
                if good:
                    return self.rebuild("uv pip install --offline --no-deps --no-build-isolation -e " + self.root)
                if not self.system(log):
                    break
            sys.exit(log + "\nassay: the project cannot be built")
        if not plan["legacy"]:
            good, log = self.editable()
            if good:
                return
        if os.path.exists(self.root + "/setup.py") and (plan["legacy"] or "build_editable" in log):
            good, log = self.develop()
            if good:
                return
            say("setup.py develop:", last(log))
        for date in plan["dates"]:
            before, plan["date"] = plan["date"], date
            good, log = self.editable()
            plan["date"] = before
            if good:
                say("built with what there was on", date or "the day of the set-up")
                return
        sys.exit(log + "\nassay: the project cannot be installed")

    def editable(self):
        for _ in range(4):
            good, log = self.uv(["install", "--no-sources", "--no-deps", "-e", self.root])
            if good:
                self.build_requirements(self.plan["build"])
                self.rebuild("PYTHONPATH=%s uv pip install --offline --no-deps --no-build-isolation -e %s" % (BUILD, self.root))
                return True, log
            if "build_editable" in log or not (self.mend(log, [], []) or self.system(log)):
                break
        return False, log

    def develop(self):
        self.build_requirements(self.plan["build"])
        code = (
            "import contextlib, sys\n"
            "with contextlib.redirect_stdout(sys.stderr):\n"
            "    from setuptools import build_meta\n"
            "    wanted = build_meta.get_requires_for_build_wheel()\n"
            "print('REQUIRES ' + ' '.join(w.replace(' ', '') for w in wanted))\n"
        )
        good, text = run([self.python, "-c", code], cwd=self.root, PYTHONPATH=BUILD)
        more = re.findall(r"^REQUIRES (.*)$", text, re.M)
        more = [w for w in " ".join(more).split() if name_of(w) not in ("wheel", "setuptools")]
        self.build_requirements(more)
        good, log = False, ""
        for _ in range(4):
            good, log = run([self.python, "setup.py", "-q", "develop", "--no-deps"], cwd=self.root, PYTHONPATH=BUILD)
            if good:
                self.rebuild("PYTHONPATH=%s python setup.py -q develop --no-deps" % BUILD)
                return True, log
            missing = re.findall(r"No module named '?([A-Za-z0-9_]+)", log)
            if missing and missing[-1] not in self.had:
                self.had.add(missing[-1])
                self.build_requirements([self.distribution(missing[-1])])
            elif not self.system(log):
                break
        return good, log

    def rebuild(self, command):
        """Writes the script that installs the project again, without network."""
        keep = ["DIST_EXTRA_CONFIG", "VIRTUAL_ENV", "PATH", "CFLAGS", "CXXFLAGS", "MAKEFLAGS"]
        lines = ["export %s='%s'" % (k, os.environ[k]) for k in keep]
        write(HOME + "/rebuild.sh", lines + ["export UV_CACHE_DIR=/tmp/assay-uv", "cd " + self.root, command])

    def distribution(self, module):
        return self.plan["modules"].get(module, module.replace("_", "-"))

    def modules(self, names):
        """Installs what tests import and nothing has brought."""
        code = "import sys\ntry:\n    from importlib.util import find_spec as find\nexcept ImportError:\n    from pkgutil import find_loader as find\nfor m in sys.argv[1:]:\n    try:\n        found = find(m)\n    except Exception:\n        found = True\n    if found is None:\n        print('MISSING', m)\n"
        text = run([self.python, "-c", code] + names, cwd=self.root)[1] if names else ""
        missing = [self.distribution(m) for m in re.findall(r"^MISSING (\S+)$", text, re.M)]
        if missing:
            say("tests import what no file names:", *missing)
            self.tell("with " + " ".join(missing), "tests import what no file names")
            for name in missing:
                self.optional([name])

    def check(self, command):
        """Collects tests at base; what they miss is installed. Where none can be
        collected, this is no environment."""
        seen, text, code = set(), "", 0
        for _ in range(8):
            settle(VENV, HOME)
            done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, errors="replace")
            code, text = done.returncode, done.stdout
            if ran(text):
                return
            missing = [m for m in re.findall(r"No module named '?([A-Za-z0-9_]+)", text) if m not in seen and m not in self.plan["own"]]
            options = re.findall(r"unrecognized arguments: (.*)", text)
            wanted = [self.distribution(m) for m in dict.fromkeys(missing)]
            for words in options:
                wanted += [d for pattern, d in self.plan["plugins"] if re.search(pattern, words) and d not in seen]
            seen.update(missing, wanted)
            if not wanted and code not in (0, 5) and self.breaks(text):
                continue
            if not wanted:
                break
            say("test files want what is missing:", *wanted)
            self.tell("with " + " ".join(wanted), "test files want what is missing")
            for name in wanted:
                self.optional([name])
        if code in (0, 5) or collected(text):
            return
        print(text[-6000:])
        errors = [l for l in text.splitlines() if re.search(r"Error\b|error:", l)]
        sys.exit("assay: no test can be collected at base: " + (errors[-1].strip() if errors else last(text, 1)))


    def breaks(self, text):
        """Takes away a package that only tests want, that nothing else requires,
        and that cannot be imported here; tells whether there was one."""
        wanted = {name_of(r) for group in self.plan["sets"] for r in group} - {name_of(r) for r in self.plan["always"]}
        for module in re.findall(r"site-packages/([A-Za-z0-9_]+)(?:/|\.py)", text):
            name = name_of(self.distribution(module))
            if name not in wanted or name in self.dropped:
                continue
            if name in run([self.python, "-c", REQUIRED])[1].split():
                continue
            self.dropped.add(name)
            if run(["uv", "pip", "uninstall", name])[0]:
                error = next((l for l in text.splitlines() if re.match(r"E  +\S*(Error|Exception)\b", l)), "it breaks the collection")
                say("taken away:", name + ":", error.strip())
                self.tell("without " + name, "it cannot be imported: " + error[1:].strip())
                return True
        return False


# Prints the names of all that installed packages require.
REQUIRED = """
import re
try:
    from importlib.metadata import distributions
except ImportError:
    import pkg_resources
    names = [r.project_name for d in pkg_resources.working_set for r in d.requires()]
else:
    names = [re.match("[A-Za-z0-9._-]+", r).group(0) for d in distributions() for r in d.requires or [] if "extra ==" not in r]
print(" ".join(re.sub("[-_.]+", "-", n).lower() for n in names))
"""


def collected(text):
    """Tells whether what pytest or our own collector printed names a test."""
    forms = (
        r"^\S+\.py::\S",
        r"^\S+\.py: [1-9]\d*$",
        r"^\s*<(Module|Function|Class|Package|Dir|TestCase|UnitTest|Session|Item)",
        r"^collected [1-9]",
        r"\b[1-9]\d*(/\d+)? tests? (collected|selected)",
    )
    return any(re.search(form, text, re.M) for form in forms)


def ran(text):
    """Tells whether what unittest, Django's runner or SymPy's printed speaks of a
    test that ran. One that fails at base is one."""
    closing = r"^Ran [1-9]\d* tests? in |tests finished: .*\b[1-9]\d* (passed|failed|exceptions)"
    return "Failed to import" not in text and re.search(closing, text, re.M)


class PipSetup(PipSteps, Setup):
    """The set-up for an interpreter that uv does not know."""


def environment():
    """Sets the variables that builds and uv read."""
    processors = str(os.cpu_count() or 2)
    defaults = {
        "UV_CACHE_DIR": "/opt/uv-cache", "UV_PYTHON_DOWNLOADS": "never", "UV_NO_PROGRESS": "1", "UV_HTTP_TIMEOUT": "120",
        "MAKEFLAGS": "-j" + processors, "NPY_NUM_BUILD_JOBS": processors, "CFLAGS": "-O1 -g0", "CXXFLAGS": "-O1 -g0",
        "DIST_EXTRA_CONFIG": HOME + "/build.cfg", "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
    for name, value in defaults.items():
        os.environ.setdefault(name, value)
    os.environ["VIRTUAL_ENV"] = VENV
    os.environ["PATH"] = VENV + "/bin:/opt/uv/bin:" + os.environ.get("PATH", "/usr/bin:/bin")
    write(HOME + "/build.cfg", ["[build_ext]", "parallel = " + processors])
    if not os.environ.get("UV_DEFAULT_INDEX") and not os.environ.get("UV_INDEX_URL"):
        index = os.environ.get("PIP_INDEX_URL") or run(["/opt/uv/bin/pip", "config", "get", "global.index-url"], PYTHONDONTWRITEBYTECODE="1")[1].strip()
        if index.startswith("http"):
            os.environ["UV_DEFAULT_INDEX"] = index


def main(step, path, *files):
    with open(path) as stream:
        plan = json.load(stream)
    os.makedirs(BUILD, exist_ok=True)
    environment()
    setup = PipSetup(plan) if plan["pip"] else Setup(plan)
    if step == "install":
        with untagged(setup.root):
            setup.dependencies()
            setup.project()
        setup.modules(plan["imports"])
    else:
        setup.check(plan["check"] + list(files))
        shutil.rmtree("/opt/uv-cache", ignore_errors=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
