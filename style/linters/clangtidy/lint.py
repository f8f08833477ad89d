"""Lints the files of a request with clang-tidy and tells in report.json what
came of each. Started in the repository: lint.py DIRECTORY, which holds
request.json; what is to be collected is left in DIRECTORY/out."""

import concurrent.futures
import ctypes
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import commands
import fix
import includes
import tidy


def main(directory):
    with open(os.path.join(directory, "request.json"), encoding="utf-8") as f:
        request = json.load(f)
    report = {"root": os.getcwd(), "files": []}
    out = os.path.join(directory, "out")
    try:
        work(request, report, directory, out)
    except commands.Broken as e:
        report["broken"] = str(e)
    except commands.Failed as e:
        sys.exit("lint.py: %s" % e)
    os.makedirs(out, exist_ok=True)
    with open(os.path.join(out, "report.json"), "w", encoding="utf-8") as f:
        json.dump(report, f, indent=1)


def work(request, report, directory, out):
    root = os.path.realpath(report["root"])
    report["version"] = version()
    # All modules, settings and tools are loaded: configuring runs code of the
    # repository, which could change files, but not what comes after it.
    ctypes.CDLL(None).prctl(36, 1)  # PR_SET_CHILD_SUBREAPER
    try:
        database = commands.find(root, os.path.join(directory, "work"), request["warm"], request["args"])
    finally:
        reap()
        shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    report["database"] = {"how": database.how, "detail": database.detail, "files": len(database.entries)}
    finder, linter = includes.Finder(root, database), tidy.Tidy(request, out)
    found = [finder.command(os.path.realpath(os.path.join(root, path))) for path in request["files"]]
    if request["fix"]:
        allowed = {os.path.realpath(os.path.join(root, path)) for path in request["files"]}
        fixer = fix.Fixer(linter, request["rules"], allowed)
        for i, path in enumerate(request["files"]):
            report["files"].append(dict(path=path, **fixer.fix("%04d" % i, *found[i])))
        return
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("ASSAY_JOBS", "2"))) as pool:
        numbers = range(len(found))
        report["files"] = list(pool.map(lambda i: lint(linter, "%04d" % i, request["files"][i], *found[i]), numbers))


def lint(linter, name, path, entry, how, unit):
    """A header that does not stand by itself is linted through its unit."""
    with open(entry.file, "rb") as f:
        digest = hashlib.sha256(f.read()).hexdigest()
    run = linter.run(name, entry)
    if run.errors() and unit is not None:
        os.remove(run.report)
        how, run = "unit", linter.run(name + "-unit", entry, unit)
    reported = os.path.basename(run.report) if os.path.isfile(run.report) else ""
    return {
        "path": path, "how": how, "unit": unit.file if unit else "", "digest": digest,
        "code": run.code, "report": reported, "log": run.log if run.code else "",
    }


def version():
    try:
        return subprocess.run([tidy.TIDY, "--version"], capture_output=True, text=True, check=False).stdout
    except FileNotFoundError as e:
        raise commands.Failed(tidy.TIDY + " is not installed") from e


def reap():
    """Ends what configuring left running."""
    while children := [int(pid) for pid in os.listdir("/proc") if pid.isdigit() and parent(pid) == os.getpid()]:
        for pid in children:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def parent(pid):
    try:
        with open("/proc/%s/stat" % pid, encoding="utf-8", errors="replace") as f:
            return int(f.read().rpartition(")")[2].split()[1])
    except OSError:
        return 0  # gone


if __name__ == "__main__":
    main(sys.argv[1])
