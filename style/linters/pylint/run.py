"""Runs the pylint below a directory: run.py HOME ARGUMENT...

It stands before all that the project has installed, so that nothing there
can stand in for it; the repository itself is not on the path. Each file that
was parsed is told by a message of its own: pylint passes over some in silence.
"""

import glob
import os
import sys
import types


def plugin():
    from pylint.checkers import BaseRawFileChecker

    class Seen(BaseRawFileChecker):
        name = "assay-seen"
        msgs = {"I9901": ("Looked at", "assay-seen", "The file was parsed.")}

        def process_module(self, node):
            self.add_message("assay-seen", line=1)

    module = types.ModuleType("assay_seen")
    module.register = lambda linter: linter.register_checker(Seen(linter))
    return module


def main(home, arguments):
    sys.path[:1] = glob.glob(home + "/lib/python3*/site-packages")
    sys.path += [p for p in os.environ.pop("ASSAY_PATH", "").split(os.pathsep) if p]
    from pylint import run_pylint

    sys.modules["assay_seen"] = plugin()
    run_pylint(["--load-plugins=assay_seen", *arguments])


main(sys.argv[1], sys.argv[2:])
