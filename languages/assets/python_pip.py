"""Installs with pip, as of a date, where uv cannot: for Python 2.7, and single
archives that uv refuses."""
import glob
import os
import re

from python_index import DatedIndex
from python_tools import BUILD, HOME, VENV, last, name_of, run, say, write

TRIES = 24
WHEELS = HOME + "/wheels"  # what pip built for uv


def pip(python, plan, args, **env):
    """Runs the pip of an interpreter on the index as of the plan's date."""
    index = DatedIndex(os.environ.get("UV_DEFAULT_INDEX") or os.environ.get("UV_INDEX_URL") or "https://pypi.org/simple", plan["date"], plan["later"])
    return run([python, "-m", "pip"] + args[:1] + ["--index-url", index.url] + args[1:], PIP_CONFIG_FILE="/dev/null", PYTHONWARNINGS="ignore", **env)


def wheel(plan, name, version):
    """Builds a wheel of an archive that uv refuses; tells whether it went well."""
    home = HOME + "/pip"
    if not os.path.exists(home):
        python = VENV + "/bin/python"
        old = run([python, "-c", "import sys; sys.exit(sys.version_info >= (3, 10))"])[0]
        for command in (["uv", "venv", "-q", "--python", python, home], ["uv", "pip", "install", "--python", home + "/bin/python", "pip", "wheel", "setuptools<58" if old else "setuptools"]):
            good, log = run(command)
            if not good:
                say("pip cannot be had:", last(log, 2))
                return False
    os.makedirs(WHEELS, exist_ok=True)
    before = set(glob.glob(WHEELS + "/*.whl"))
    good, log = pip(home + "/bin/python", plan, ["wheel", "-q", "--no-deps", "--no-build-isolation", "-w", WHEELS, "%s==%s" % (name, version)])
    if not good:
        say("pip cannot build", name, "either:", last(log, 2)[:300])
    return good and set(glob.glob(WHEELS + "/*.whl")) != before


class PipSteps:
    """The steps of the set-up that differ from uv's, for Python 2.7."""

    def install(self, requirements, sources=(), extras=(), more=(), required=()):
        """Installs requirements; what cannot be had and is not required is left out."""
        log = ""
        for _ in range(TRIES):
            kept = [r for r in requirements if name_of(r) not in self.dropped or name_of(r) in required]
            if not kept:
                return True, log
            write(HOME + "/requirements.txt", kept)
            good, log = pip(self.python, self.plan, ["install", "-q", "-r", HOME + "/requirements.txt"] + list(more))
            if good:
                return True, log
            if self.system(log):
                continue
            bad = re.findall(r"No matching distribution found for ([A-Za-z0-9._-]+)", log)
            bad += re.findall(r"(?:Failed building wheel for|Running setup.py install for|Failed to build) ([A-Za-z0-9._-]+)", log)
            bad += re.findall(r"requested ([A-Za-z0-9._-]+?)[=<>! ]", log)
            names = [name_of(n) for n in bad]
            found = [name_of(r) for r in kept if name_of(r) in names and name_of(r) not in required]
            if not found:
                return False, log
            self.leave_out(found[0], log)
        return False, log

    def dependencies(self):
        """The runner first: the project brings its own requirements."""
        always = self.plan["always"]
        good, log = self.install(always, required=[name_of(r) for r in always])
        if not good:
            raise SystemExit(log + "\nassay: the test runner cannot be installed")

    def project(self):
        plan = self.plan
        if plan["project"]:
            extras = "[" + ",".join(plan["extras"]) + "]" if plan["extras"] else ""
            command = ["install", "-q", "--no-build-isolation", "-e", self.root + extras]
            for today in (plan, plan, dict(plan, date="", later={})):
                good, log = pip(self.python, today, command)
                if good:
                    break
                if today is plan and not self.system(log):
                    # Old releases do not build with the libraries of now.
                    self.tell("the project's requirements as of the day of the set-up", last(log, 1))
            if not good:
                raise SystemExit(log + "\nassay: the project cannot be installed")
            self.rebuild("PYTHONPATH=%s python setup.py -q develop --no-deps" % BUILD)
        for group in self.plan["sets"]:
            self.optional(group)
