"""Measures which lines a Python process executes, by test: started by a .pth
file of the environment where $ASSAY_COVER names a file of settings.

The settings: "lib", where coverage.py is; "root", the repository; "lines", by
path the lines in question; "out", a folder for what was measured, a file for
each process. The reporters of assay switch the context when a test begins and
ends. Works on Python 2.7 and on 3.6 and later.
"""
import atexit
import io
import json
import os
import sys


def load(lib):
    """Imports coverage.py from its own folder, which is not on the path then."""
    sys.path.insert(0, lib)
    try:
        import coverage
        import coverage.parser
    finally:
        sys.path.remove(lib)
    return coverage


class Cover(object):
    def __init__(self, settings):
        self.settings = settings
        coverage = load(settings["lib"])
        self.parser = coverage.parser.PythonParser
        self.paths = dict((rel, os.path.realpath(os.path.join(settings["root"], rel))) for rel in settings["lines"])
        self.cov = coverage.Coverage(data_file=None, config_file=False, include=sorted(self.paths.values()))
        self.cov.start()

    def switch(self, test):
        """Counts what follows for a test; "" for none."""
        try:
            self.cov.switch_context(test)
        except Exception:
            pass  # a test ended the measurement

    def finish(self):
        try:
            self.cov.stop()
            out = os.path.join(self.settings["out"], "%d.json" % os.getpid())
            found = {}
            for rel in sorted(self.paths):
                try:
                    found[rel] = self.file(rel)
                except Exception as err:  # one that cannot be parsed, or is gone, is left out
                    sys.stderr.write("assay: the coverage of %r cannot be read: %r\n" % (rel, err))
            if found:
                with io.open(out, "wb") as stream:
                    stream.write(json.dumps(found, sort_keys=True).encode("ascii"))
        except Exception as err:
            sys.stderr.write("assay: the coverage cannot be read: %r\n" % (err,))

    def file(self, rel):
        path, lines = self.paths[rel], self.settings["lines"][rel]
        with io.open(path, "rb") as stream:
            text = stream.read().decode("utf-8", "replace")
        source = text.splitlines()
        statements, missing = self.cov.analysis2(path)[1:4:2]
        parser = self.parser(text=text)
        parser.parse_source()
        first = dict((n, parser.first_line(n)) for n in range(1, len(source) + 1))
        idle = set(n for n, line in enumerate(source, 1) if not line.strip() or line.strip().startswith("#"))
        known = set(statements)
        executable = [n for n in lines if n not in idle and first.get(n) in known]
        reported = runs(statements, set(missing))
        data = self.cov.get_data()
        measured = [f for f in data.measured_files() if os.path.realpath(f) == path]
        covered = {}
        for name in measured:
            for line, tests in data.contexts_by_lineno(name).items():
                for test in tests:
                    covered.setdefault(test, set()).add(first.get(line, line))
        return {
            "executable": executable,
            "loaded": bool(measured),
            "missing": [n for n in lines if n in reported],
            "covered": dict((test, [n for n in executable if first[n] in hit]) for test, hit in covered.items()),
        }


def runs(statements, missing):
    """The lines that coverage.py's report lists as missing: it joins statements
    that follow each other, with all that is between them."""
    listed, run = set(), []
    for n in list(statements) + [None]:
        if n in missing:
            run.append(n)
            continue
        if run:
            listed.update(range(run[0], run[-1] + 1))
        run = []
    return listed


def main():
    with io.open(os.environ["ASSAY_COVER"], encoding="utf-8") as stream:
        settings = json.load(stream)
    os.environ["COVERAGE_CORE"] = "ctrace"  # the core that knows contexts
    cover = Cover(settings)
    sys._assay_cover = cover.switch
    atexit.register(cover.finish)


try:
    # lib64 may be a link to lib: then .pth files are read twice.
    if not hasattr(sys, "_assay_cover"):
        main()
except Exception as err:
    sys.stderr.write("assay: the coverage cannot be measured: %r\n" % (err,))
