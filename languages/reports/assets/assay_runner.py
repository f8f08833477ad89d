"""Runs a repository's own test runner, and reports the tests that it runs:

    python assay_runner.py ROOT SCRIPT ARGUMENT...
    python assay_runner.py ROOT -m MODULE ARGUMENT...

The program runs as python would run it. Its tests are written under the
variables of assay_unittest, which must stand beside this file, in the same
format; their paths begin at ROOT. Two kinds of runners are known by what they
use: those that make a unittest.TextTestRunner (unittest's and Django's, also
with parallel processes), and modules called runtests with the classes
PyTestReporter and SymPyTests (SymPy's). Needs nothing beside Python 3.5.
Leaves with the program's exit code.
"""
import importlib.abc
import importlib.machinery
import json
import os
import runpy
import sys
import unittest

import assay_unittest as base

EVENTS = (
    "startTest", "stopTest", "addSuccess", "addFailure", "addError", "addSkip",
    "addExpectedFailure", "addUnexpectedSuccess", "addSubTest",
)


class Place:
    """Turns files and modules into paths below the root."""

    def __init__(self, root):
        self.root = os.path.realpath(root)

    def of_file(self, file):
        return os.path.relpath(os.path.realpath(file), self.root).replace(os.sep, "/")

    def of_module(self, name):
        file = getattr(sys.modules.get(name), "__file__", None)
        if file is None:
            file = self.find(name)
        path = self.of_file(file) if file else ".."
        return path if not path.startswith("..") else name.replace(".", "/") + ".py"

    def find(self, name):
        """The file of a module that cannot be imported."""
        for top in sys.path:
            file = os.path.join(top or os.getcwd(), *name.split(".")) + ".py"
            if os.path.isfile(file):
                return file
        return None


class Titled(base.Result):
    """Tells what unittest prints of a test beside its name: its docstring."""

    def startTest(self, test):
        nodeid = self.tests.id(test)
        title = test.shortDescription() if hasattr(test, "shortDescription") else None
        if nodeid is not None and title:
            self.write("title", id=nodeid, title=title)
        super().startTest(test)


class Known(base.Tests):
    """The tests of a run. Those that no suite showed before get their id late."""

    def __init__(self, place):
        super().__init__()
        self.place = place

    def learn(self, test):
        if id(test) not in self.ids:
            path = self.place.of_module(type(test).__module__)
            self.add(path, test, base.node_id(path, test))

    def id(self, test):
        parent = getattr(test, "test_case", test)
        if isinstance(parent, unittest.TestCase):
            self.learn(parent)
        return super().id(test)


def failed_import(test):
    """The module of a test that stands for one that cannot be loaded."""
    if type(test).__name__ in ("_FailedTest", "ModuleImportFailure"):
        return getattr(test, "_testMethodName", "")
    return None


class Watch:
    """Keeps the report of the outermost run; a test may run others."""

    def __init__(self, write, place, wanted):
        self.write, self.wanted = write, wanted
        self.tests = Known(place)
        self.result = Titled(write, self.tests)
        self.active = False
        self.depth = 0

    def hook(self):
        plain, watch = unittest.TextTestRunner.__init__, self

        def init(runner, *args, **kwargs):
            plain(runner, *args, **kwargs)
            make, run = runner._makeResult, runner.run
            runner._makeResult = lambda: watch.made(make())
            runner.run = lambda suite: watch.run(run, suite)

        unittest.TextTestRunner.__init__ = init

    def run(self, run, suite):
        if self.active or self.depth:
            return run(suite)
        self.depth += 1
        try:
            for test in base.walk(suite):
                if failed_import(test) is None:
                    self.tests.learn(test)
            if self.wanted is not None:
                suite = self.narrowed(suite)
            return run(suite)
        finally:
            self.depth -= 1
            self.active = False

    def narrowed(self, suite):
        tests = list(base.walk(suite))
        kept = [t for t in tests if failed_import(t) is not None or base.selected(self.tests.id(t), self.wanted)]
        for prefix in self.wanted:
            if not any(base.selected(self.tests.id(t), [prefix]) for t in kept if failed_import(t) is None):
                self.write("unmatched", id=prefix)
        return unittest.TestSuite(kept)

    def made(self, result):
        """Gives a result object a class that reports, beside what it does."""
        if self.active or not self.depth:
            return result
        self.active = True
        plain = type(result)
        members = {name: self.both(plain, name) for name in EVENTS if hasattr(plain, name)}
        result.__class__ = type(plain.__name__, (plain,), members)
        return result

    def both(self, plain, name):
        method, report, busy = getattr(plain, name), self.reporter(name), []

        def call(result, *args, **kwargs):
            if busy:  # the runner's own method calls itself by its name
                return method(result, *args, **kwargs)
            busy.append(1)
            try:
                value = method(result, *args, **kwargs)
            finally:
                busy.pop()
            report(*args)
            return value

        return call

    def reporter(self, name):
        plain = getattr(self.result, name)

        def report(test, *args):
            module = failed_import(test)
            if module is None:
                plain(test, *args)
            elif name == "addError":
                self.write("collecterror", id=self.tests.place.of_module(module), outcome="failed", msg=base.describe(args[0]))
            elif name == "addSkip":
                self.write("collecterror", id=self.tests.place.of_module(module), outcome="skipped", msg=str(args[0]))

        return report


class Functions:
    """Reports the functions that SymPy's runner calls."""

    def __init__(self, write, place):
        self.write, self.place = write, place
        self.file, self.running = "", None

    def hook(self, module):
        reporter, tests = getattr(module, "PyTestReporter", None), getattr(module, "SymPyTests", None)
        if reporter is None or tests is None:
            return
        before(tests, "test_file", self.begin)
        before(reporter, "entering_test", self.start)
        before(reporter, "test_pass", lambda *_: self.end("passed"))
        before(reporter, "test_fail", lambda err: self.end("failed", base.describe(err)))
        before(reporter, "test_exception", self.error)
        before(reporter, "test_skip", lambda reason=None: self.end("skipped", str(reason or "")))
        before(reporter, "test_xfail", lambda: self.end("skipped", xfail=True))
        before(reporter, "test_xpass", lambda reason=None: self.end("passed", xfail=True))
        before(reporter, "import_error", lambda file, err: self.broken(file, err))

    def begin(self, file, *_, **__):
        self.file, self.running = self.place.of_file(file), None

    def start(self, function):
        self.running = self.file + "::" + function.__name__
        self.write("start", id=self.running)
        base.cover(self.running)

    def end(self, outcome, msg="", **more):
        if self.running is None:
            return
        self.write("phase", id=self.running, when="call", outcome=outcome, msg=msg, **more)
        base.cover("")
        self.write("end", id=self.running)
        self.running = None

    def error(self, err):
        if self.running is None:
            self.broken(os.path.join(self.place.root, self.file), err)
        else:
            self.end("failed", base.describe(err))

    def broken(self, file, err):
        self.write("collecterror", id=self.place.of_file(file), outcome="failed", msg=base.describe(err))


def before(cls, name, do):
    plain = getattr(cls, name, None)
    if plain is None:
        return

    def call(self, *args, **kwargs):
        do(*args, **kwargs)
        return plain(self, *args, **kwargs)

    setattr(cls, name, call)


class Finder(importlib.abc.MetaPathFinder):
    """Has modules called runtests looked at as soon as they are loaded."""

    def __init__(self, look):
        self.look = look

    def find_spec(self, name, path=None, target=None):
        if not name.endswith(".runtests"):
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None:
            return spec
        plain, look = spec.loader.exec_module, self.look

        def exec_module(module):
            plain(module)
            look(module)

        spec.loader.exec_module = exec_module
        return spec


def start(words):
    """Runs the program in this process; returns its exit code."""
    try:
        if words[0] == "-m":
            sys.argv = words[1:]
            sys.path[0] = os.getcwd()
            runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        else:
            sys.argv = words
            sys.path[0] = os.path.dirname(os.path.abspath(words[0]))
            runpy.run_path(words[0], run_name="__main__")
    except SystemExit as stop:
        if stop.code is None or isinstance(stop.code, int):
            return int(stop.code or 0) & 0xFF
        sys.stderr.write(str(stop.code) + "\n")
        return 1
    return 0


def main(words):
    write = base._open_report(os.environ.pop("ASSAY_PYTEST_REPORT", None), base._take_key())
    chosen = os.environ.pop("ASSAY_PYTEST_SELECT", None)
    wanted = None
    if chosen:
        with open(chosen, encoding="utf-8") as stream:
            wanted = json.load(stream)
    write("session", runner="own", version=sys.version.split()[0])
    place = Place(words[0])
    Watch(write, place, wanted).hook()
    sys.meta_path.insert(0, Finder(Functions(write, place).hook))
    code = start(words[1:])
    write("finish", exit=code)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
