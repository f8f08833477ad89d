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
import signal
import subprocess
import sys
import tempfile

HOME = "/opt/assay-python"
VENV = "/opt/venv"
BUILD = HOME + "/build"
ROOT = "/testbed"
TRIES = 24
BUILDING = 400  # seconds for one attempt at what is optional


def say(*words):
    print("assay:", *words, flush=True)


def run(command, cwd="/", limit=None, **env):
    """Runs a command; returns whether it went well, and what it printed.

    What takes longer than limit seconds has failed; builds that were still
    going on are named in the text then.
    """
    with tempfile.TemporaryFile("w+", errors="replace") as out:
        process = subprocess.Popen(
            command, cwd=cwd, env=dict(os.environ, **env), stdout=out, stderr=subprocess.STDOUT, start_new_session=True,
        )
        try:
            process.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        out.seek(0)
        text = out.read()
    if process.returncode == -signal.SIGKILL:
        begun = re.findall(r"Building ([A-Za-z0-9._-]+)==", text)
        text += "".join("\nFailed to build `%s==in time`" % n for n in begun if "Built " + n + "==" not in text)
    return process.returncode == 0, text


def last(text, lines=4):
    kept = [l for l in text.splitlines() if l.strip() and not l.startswith("Using Python")]
    return " | ".join(l.strip() for l in kept[-lines:])


def name_of(requirement):
    match = re.match(r"[A-Za-z0-9][A-Za-z0-9._-]*", requirement)
    return re.sub(r"[-_.]+", "-", match.group(0)).lower() if match else ""


class Setup:
    def __init__(self, plan):
        self.plan = plan
        self.later = dict(plan["later"])  # distribution: date until which it is taken
        self.dropped = set()
        self.registry = set()  # taken from the index, whatever address they have
        self.had = set()  # sets of Debian packages that were installed
        self.python = VENV + "/bin/python"

    # Debian packages

    def system(self, log):
        """Installs the Debian packages that a log asks for; tells whether any."""
        wanted = []
        for pattern, packages in self.plan["needs"]:
            if re.search(pattern, log, re.M):
                wanted += [p for p in packages.split() if p not in self.had]
        if not wanted:
            return False
        self.had.update(wanted)
        say("a build needs Debian's", *wanted)
        quiet = ["apt-get", "-qq", "-y", "-o", "APT::Sandbox::User=root", "-o", "Dpkg::Use-Pty=0"]
        for command in (quiet + ["update"], quiet + ["install", "--no-install-recommends"] + wanted):
            good, text = run(command, DEBIAN_FRONTEND="noninteractive")
            if not good:
                say("apt:", last(text, 1))
                return False
        return True

    # uv

    def uv(self, args, limit=None):
        command = ["uv", "pip"] + args
        if self.plan["date"]:
            command += ["--exclude-newer", self.plan["date"]]
            for name, until in sorted(self.later.items()):
                command += ["--exclude-newer-package", name + "=" + until]
        return run(command, limit=limit)

    def install(self, requirements, sources=(), extras=(), more=(), required=()):
        """Installs requirements together; tells whether it went well.

        What hinders is mended where uv says what it is: a distribution whose
        old releases were uploaded again later is taken from then, an extra
        that does not exist is dropped, and so is a requirement that is not
        required. Returns the log of the last attempt.
        """
        requirements, extras = list(requirements), list(extras)
        wheels, log = list(self.plan["wheels"]), ""
        for _ in range(TRIES):
            kept = [r for r in requirements if name_of(r) not in self.dropped or name_of(r) in required]
            write(HOME + "/requirements.txt", kept)
            args = ["install", "--no-sources", "-r", HOME + "/requirements.txt"] + list(more)
            for source in sources:
                args += ["-r", source]
            args += ["--extra=" + e for e in extras]
            overrides = (self.plan["overrides"] if sources else []) + sorted(self.registry)
            if overrides:
                write(HOME + "/overrides.txt", overrides)
                args += ["--overrides", HOME + "/overrides.txt"]
            for name in wheels:
                args += ["--only-binary", name]
            optional = [r for r in kept if name_of(r) not in required]
            good, log = self.uv(args, BUILDING if optional else None)
            if good:
                return True, log
            extra = re.search(r"Requested extra not found: (\S+)", log)
            if extra and extra.group(1) in extras:
                say("there is no extra", extra.group(1))
                extras.remove(extra.group(1))
                continue
            if self.mend(log, kept, required):
                continue
            # A source archive does where no wheel can be had.
            sourced = [name_of(n) for n in re.findall(r"([A-Za-z0-9._-]+?)(?:==\S+|[<>]=?\S+)? (?:has|have) no (?:usable )?(?:wheels|source)", log)]
            if not set(sourced) & set(wheels):
                return False, log
            wheels = [n for n in wheels if n not in sourced]
        return False, log

    def mend(self, log, requirements, required):
        """Changes what keeps an installation from succeeding; tells whether it did."""
        moved = False
        for match in re.finditer(r"`([A-Za-z0-9._-]+)` was filtered by `exclude-newer`.*?(?:published at (\d{4}-\d\d-\d\d))?[^\n]*\n?", log):
            name = name_of(match.group(1))
            until = re.search(r"published at (\d{4}-\d\d-\d\d)", match.group(0))
            until = next_day(until.group(1)) if until else "2100-01-01"
            if self.later.get(name, "") < until:
                say(name, "is taken as of", until + ": the index has nothing that fits from before")
                self.later[name] = until
                moved = True
        if moved:
            return True
        if self.system(log):
            return True
        if re.search(r"Could not resolve host|dns error|unable to access|[Cc]onnection refused", log):
            addressed = re.findall(r"Failed to [^`\n]*`([A-Za-z0-9._-]+) @ [^`]*`", log)
            for name in map(name_of, addressed):
                if name not in self.registry:
                    say(name, "is taken from the index: its own address cannot be reached")
                    self.registry.add(name)
                    return True
        bad = re.findall(r"Failed to (?:build|download(?: and build)?|fetch|prepare)[^`]*`([A-Za-z0-9._-]+?)(?:==|`| |@)", log)
        bad += re.findall(r"[Bb]ecause ([A-Za-z0-9._-]+) was not found in the package registry", log)
        bad += re.findall(r"no versions? of ([A-Za-z0-9._-]+)", log)
        bad += re.findall(r"([A-Za-z0-9._-]+)(?:==\S+)? (?:has|have) no (?:usable )?wheels", log)
        bad += re.findall(r"`([A-Za-z0-9._-]+)` \(v[^)]*\) was included because", log)
        chain = re.findall(r"because `([A-Za-z0-9._-]+)`", log)
        names = [name_of(r) for r in requirements]
        for name in map(name_of, bad + chain):
            if name in names and name not in required and name not in self.dropped:
                say("left out:", name + ":", last(log, 3)[:400])
                self.dropped.add(name)
                return True
        return False

    # steps

    def dependencies(self):
        """The project's requirements and all that tests want, in one resolution
        if there is one; else the project's first and the rest as far as it goes."""
        plan = self.plan
        sources = [ROOT + "/" + plan["project"]] if plan["project"] else []
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
            date, plan["date"] = plan["date"], ""
            good, log = self.install(plan["always"], sources, plan["extras"], required=required)
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
                good, log = run(["uv", "pip", "install", "--no-deps", "--no-build-isolation", "-e", ROOT])
                if good:
                    return self.rebuild("uv pip install --offline --no-deps --no-build-isolation -e " + ROOT)
                if not self.system(log):
                    break
            sys.exit(log + "\nassay: the project cannot be built")
        if not plan["legacy"]:
            good, log = self.editable()
            if good:
                return
        if os.path.exists(ROOT + "/setup.py") and (plan["legacy"] or "build_editable" in log):
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
            good, log = self.uv(["install", "--no-sources", "--no-deps", "-e", ROOT])
            if good:
                self.build_requirements(self.plan["build"])
                self.rebuild("PYTHONPATH=%s uv pip install --offline --no-deps --no-build-isolation -e %s" % (BUILD, ROOT))
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
        good, text = run([self.python, "-c", code], cwd=ROOT, PYTHONPATH=BUILD)
        more = re.findall(r"^REQUIRES (.*)$", text, re.M)
        more = [w for w in " ".join(more).split() if name_of(w) not in ("wheel", "setuptools")]
        self.build_requirements(more)
        good, log = False, ""
        for _ in range(4):
            good, log = run([self.python, "setup.py", "-q", "develop", "--no-deps"], cwd=ROOT, PYTHONPATH=BUILD)
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
        write(HOME + "/rebuild.sh", lines + ["export UV_CACHE_DIR=/tmp/assay-uv", "cd " + ROOT, command])

    def distribution(self, module):
        return self.plan["modules"].get(module, module.replace("_", "-"))

    def modules(self, names):
        """Installs what tests import and nothing has brought."""
        code = "import importlib.util, sys\nfor m in sys.argv[1:]:\n    try:\n        found = importlib.util.find_spec(m)\n    except Exception:\n        found = True\n    if found is None:\n        print('MISSING', m)\n"
        text = run([self.python, "-c", code] + names, cwd=ROOT)[1] if names else ""
        missing = [self.distribution(m) for m in re.findall(r"^MISSING (\S+)$", text, re.M)]
        if missing:
            say("tests import what no file names:", *missing)
            for name in missing:
                self.optional([name])

    def check(self, command):
        """Collects tests at base; what they miss is installed. Where none can be
        collected, this is no environment."""
        seen, text, code = set(), "", 0
        for _ in range(8):
            done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, errors="replace")
            code, text = done.returncode, done.stdout
            missing = [m for m in re.findall(r"No module named '?([A-Za-z0-9_]+)", text) if m not in seen and m not in self.plan["own"]]
            options = re.findall(r"unrecognized arguments: (.*)", text)
            wanted = [self.distribution(m) for m in dict.fromkeys(missing)]
            for words in options:
                wanted += [d for pattern, d in self.plan["plugins"] if re.search(pattern, words) and d not in seen]
            seen.update(missing, wanted)
            if not wanted:
                break
            say("test files want what is missing:", *wanted)
            for name in wanted:
                self.optional([name])
        if code in (0, 5) or "::" in text or re.search(r"^\s*<|\d+ (tests? )?(collected|selected)", text, re.M):
            return
        print(text[-6000:])
        errors = [l for l in text.splitlines() if re.search(r"Error\b|error:", l)]
        sys.exit("assay: no test can be collected at base: " + (errors[-1].strip() if errors else last(text, 1)))


def write(path, lines):
    with open(path, "w") as stream:
        stream.write("".join(l + "\n" for l in lines))


def next_day(day):
    import datetime

    return str(datetime.date(*map(int, day.split("-"))) + datetime.timedelta(days=1))


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
        index = os.environ.get("PIP_INDEX_URL") or run(["/opt/uv/bin/pip", "config", "get", "global.index-url"])[1].strip()
        if index.startswith("http"):
            os.environ["UV_DEFAULT_INDEX"] = index


def main(step, path, *files):
    with open(path) as stream:
        plan = json.load(stream)
    os.makedirs(BUILD, exist_ok=True)
    environment()
    setup = Setup(plan)
    if step == "install":
        setup.dependencies()
        setup.project()
        setup.modules(plan["imports"])
    else:
        setup.check(plan["check"] + list(files))
        shutil.rmtree("/opt/uv-cache", ignore_errors=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
