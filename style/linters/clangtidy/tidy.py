"""Runs clang-tidy on one file and keeps what it reports."""

import json
import os
import subprocess

import yaml

from commands import SOURCES, Failed, tail

TIDY = "clang-tidy-19"
SECONDS = 900  # for one run


class Run:
    """What one run of the tool left."""

    def __init__(self, code, report, log):
        self.code, self.report, self.log = code, report, log

    def diagnostics(self):
        if not os.path.isfile(self.report):
            return []
        with open(self.report, "rb") as f:
            return yaml.load(f, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))["Diagnostics"]

    def errors(self):
        return [d for d in self.diagnostics() if d["DiagnosticName"] == "clang-diagnostic-error"]


class Tidy:
    def __init__(self, request, out):
        self.request, self.out = request, out
        self.own = arguments(request)

    def run(self, name, entry, unit=None):
        """Lints entry's file; as a part of unit where one is given, and as
        the main file otherwise. What it leaves begins with name."""
        name = os.path.join(self.out, name)
        main = unit or entry
        os.makedirs(name)
        with open(os.path.join(name, "compile_commands.json"), "w", encoding="utf-8", errors="surrogateescape") as f:
            json.dump([{"directory": name, "file": main.file, "arguments": self.arguments(main)}], f)
        command = [TIDY, "-p", name, "--config=" + self.request["config"], "--warnings-as-errors=-*", "--export-fixes=" + name + ".yaml"]
        if unit is not None:
            command += ["--header-filter=.*", "--line-filter=" + json.dumps([{"name": entry.file}])]
        with open(name + ".log", "wb") as log:
            try:
                code = subprocess.run(command + [main.file], stdin=subprocess.DEVNULL, stdout=log, stderr=log, timeout=SECONDS, check=False).returncode
            except FileNotFoundError as e:
                raise Failed(TIDY + " is not installed") from e
            except subprocess.TimeoutExpired:
                code = -1
        return Run(code, name + ".yaml", tail(name + ".log"))

    def arguments(self, entry):
        words = ["clang" if entry.c() else "clang++"] + entry.flags + self.own
        if not entry.file.endswith(SOURCES):
            words += ["-x", "c-header" if entry.c() else "c++-header"]
        return words + [entry.file]


def arguments(request):
    """What every command gets: no code hidden from the analyzer, and the
    libraries of the compiler that builds the project."""
    words = ["-U__clang_analyzer__"]
    if not request["warnings"]:
        # Also what clang calls an error and other compilers do not, such as
        # a narrowing; the tool's own checks are not affected.
        words.append("-Wno-everything")
    for setting in request["analyzer"]:
        words += ["-Xclang", "-analyzer-config", "-Xclang", setting]
    directory = gcc()
    return words + (["--gcc-install-dir=" + directory] if directory else [])


def gcc():
    """The directory of GCC's own libraries, where c++ is GCC."""
    try:
        told = subprocess.run(["c++", "-print-libgcc-file-name"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        return None
    directory = os.path.dirname(told)
    return directory if os.path.basename(told) == "libgcc.a" and os.path.isdir(directory) else None
