"""Loads test files as unittest does, without running a test: python_collect.py FILE...

Prints how many tests there are; exits with 2 where there is none.
"""
import importlib
import os
import sys
import traceback
import unittest


def load(path):
    """Returns the number of tests in a file, given by its path from here."""
    name = path[: -len(".py")].replace("/", ".")
    try:
        module = importlib.import_module(name)
    except ImportError as err:
        missing = getattr(err, "name", None)
        if not missing or not (name + ".").startswith(missing + "."):
            raise
        # A folder that is no package, or whose name is no module's.
        sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
        module = importlib.import_module(os.path.basename(path)[: -len(".py")])
    return unittest.defaultTestLoader.loadTestsFromModule(module).countTestCases()


def main(paths):
    sys.path.insert(0, os.getcwd())
    count, failed = 0, False
    for path in paths:
        try:
            count += load(path)
        except (Exception, SystemExit, unittest.SkipTest):
            traceback.print_exc()
            failed = True
    if not count and paths:
        if not failed:
            print("error: no file holds a test")
        sys.exit(2)
    print("%d tests collected" % count)


if __name__ == "__main__":
    main(sys.argv[1:])
