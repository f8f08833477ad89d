"""How each file of a repository is compiled, found without building CMake
projects: a database of one command per file, its flags cleaned to those that
decide what the code means."""

import json
import os
import re
import shlex
import shutil
import subprocess

SOURCES = (".c", ".cc", ".cpp", ".cxx", ".c++", ".C")
MAKEFILES = ("GNUmakefile", "makefile", "Makefile")

# Flags with a value, in one word or in two; those of PATHS name directories
# or files, and are made absolute.
PATHS = ("-isystem", "-iquote", "-idirafter", "-isysroot", "-imacros", "-include", "-I")
VALUES = ("-D", "-U", "-x")
# Everything else that is kept. Warnings, optimisation, plug-ins and flags that
# only GCC knows are dropped: they decide nothing here or are errors for clang.
KEPT = re.compile(
    r"-std=.*|--sysroot=.*|-ansi|-pthread|-nostdinc(\+\+)?|-m(32|64|x32|arch=.*|cpu=.*|sse.*|avx.*|fma|bmi2?|f16c|popcnt|lzcnt|aes|pclmul|no-.*)"
    r"|-f(no-)?(exceptions|rtti|char8_t|signed-char|unsigned-char|short-wchar|short-enums|openmp|ms-extensions|permissive|PIC|pic|PIE|pie"
    r"|coroutines|sized-deallocation|aligned-new|builtin|freestanding|hosted|threadsafe-statics|gnu-keywords|operator-names|wchar)"
)


class Broken(Exception):
    """The project itself cannot be configured: whatever is asked of it fails."""


class Failed(Exception):
    """The machine lacks something, or the tool failed."""


class Entry:
    """The cleaned command of one file."""

    def __init__(self, file, flags, language=None):
        self.file, self.flags = file, flags
        self.language = language or ("c" if file.endswith(".c") else "c++")

    def c(self):
        """Whether the command compiles C, not C++."""
        return self.language == "c"

    def directories(self):
        """The directories searched for includes, in order."""
        pairs = zip(self.flags, self.flags[1:])
        return tuple(b for a, b in pairs if a in ("-iquote", "-I", "-isystem", "-idirafter"))


class Database:
    def __init__(self, how, entries, detail=""):
        self.how, self.entries, self.detail = how, entries, detail


def clean(words, directory, root):
    """Keeps the flags that decide what the code means. System directories
    inside the repository become ordinary ones, after the others: code of the
    repository is never exempt."""
    out, last, rest = [], [], iter(words[1:])
    for word in rest:
        if word == "--sysroot":
            word = "--sysroot=" + next(rest, "")
        if word == "-include-pch":
            next(rest, "")
            continue
        flag = next((f for f in PATHS + VALUES if word.startswith(f)), None)
        if flag is None:
            if KEPT.fullmatch(word):
                out.append(word)
            continue
        value = word[len(flag):] or next(rest, "")
        if flag in PATHS:
            value = absolute(flag, value, directory)
        if flag == "-isystem" and inside(value, root):
            last += ["-I", value]
        else:
            out += [flag, value]
    return out + last


def absolute(flag, value, directory):
    path = os.path.normpath(os.path.join(directory, value))
    if flag in ("-include", "-imacros") and not os.path.exists(path):
        return value  # found by the search path
    return path


def inside(path, root):
    return os.path.realpath(path).startswith(root + os.sep) or os.path.realpath(path) == root


def read_database(path, root):
    """One entry per file. CMake and Bear list a file once per target: the
    first counts, as in clangd; it is the target defined first."""
    seen, entries = set(), []
    with open(path, encoding="utf-8", errors="surrogateescape") as f:
        listed = json.load(f)
    for e in listed:
        file = os.path.realpath(os.path.join(e["directory"], e["file"]))
        if file in seen or not file.endswith(SOURCES) or not os.path.isfile(file):
            continue
        seen.add(file)
        words = e.get("arguments") or shlex.split(e["command"])
        entries.append(Entry(file, clean(words, e["directory"], root)))
    return entries


def call(command, cwd, log):
    """Runs a step of the project; its output goes to a file."""
    with open(log, "ab") as out:
        try:
            return subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=out, stderr=out, check=False).returncode
        except FileNotFoundError as e:
            raise Failed("%s is not installed" % command[0]) from e


def tail(path, size=2000):
    with open(path, "rb") as f:
        return f.read()[-size:].decode("utf-8", "replace").strip()


def find(root, work, warm, args):
    """The database of the repository at root; work is a directory for what it
    takes, warm the build directory of the environment, if there is one."""
    os.makedirs(work)
    if os.path.isfile(os.path.join(root, "CMakeLists.txt")):
        return cmake(root, work, warm, args)
    if any(os.path.isfile(os.path.join(root, m)) for m in MAKEFILES + ("configure",)):
        return bear(root, work, args)
    return Database("fallback", [], "no CMakeLists.txt, Makefile or configure at the top")


def cmake(root, work, warm, args):
    build, log = os.path.join(work, "build"), os.path.join(work, "cmake.log")
    command = ["cmake", "-S", root, "-B", build, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"]
    if not any(a.startswith("-G") for a in args):
        command += ["-G", "Ninja" if shutil.which("ninja") else "Unix Makefiles"]
    fetched = os.path.join(warm, "_deps")
    if os.path.isdir(fetched):  # there is no network to fetch them again
        command += ["-DFETCHCONTENT_FULLY_DISCONNECTED=ON", "-DFETCHCONTENT_BASE_DIR=" + fetched]
    command += args + ["-DCMAKE_UNITY_BUILD=OFF", "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON", "-DCMAKE_CXX_SCAN_FOR_MODULES=OFF"]
    if call(command, root, log) != 0:
        raise Broken("cmake cannot configure the project: " + tail(log))
    generated(warm, build)
    path = os.path.join(build, "compile_commands.json")
    entries = read_database(path, root) if os.path.isfile(path) else []
    return Database("cmake", entries, "" if entries else "the configured project compiles nothing")


def generated(warm, build):
    """Lends headers that building has made, where configuring does not."""
    for folder, dirs, files in os.walk(warm):
        dirs[:] = sorted(d for d in dirs if d not in ("CMakeFiles", "_deps", ".cmake"))
        for name in files:
            if not name.endswith((".h", ".hh", ".hpp", ".hxx", ".inc", ".ipp")):
                continue
            target = os.path.join(build, os.path.relpath(os.path.join(folder, name), warm))
            if not os.path.lexists(target):
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copy(os.path.join(folder, name), target)


def bear(root, work, args):
    """Builds a copy with make while Bear looks on; a build that ends early
    still tells of the files up to there."""
    copy, log, path = os.path.join(work, "copy"), os.path.join(work, "make.log"), os.path.join(work, "bear.json")
    shutil.copytree(root, copy, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    if not any(os.path.isfile(os.path.join(copy, m)) for m in MAKEFILES):
        if call(["./configure"], copy, log) != 0:
            raise Broken("configure fails: " + tail(log))
    jobs = os.environ.get("ASSAY_JOBS", "2")
    code = call(["bear", "--output", path, "--", "make", "-k", "-j", jobs] + args, copy, log)
    if not os.path.isfile(path):
        raise Failed("bear left no database: " + tail(log))
    detail = "" if code == 0 else "make ended with code %d: %s" % (code, tail(log, 300))
    return Database("bear", moved(path, copy, root), detail)


def moved(path, copy, root):
    """The database of the copy, told of the repository; directories of the
    copy stay behind those of the repository, for what the build generated."""
    entries = []
    for e in read_database(path, copy):
        flags = []
        for word in e.flags:
            flags.append(root + word[len(copy):] if word == copy or word.startswith(copy + os.sep) else word)
        behind = [w for d in e.directories() if inside(d, copy) for w in ("-idirafter", d)]
        file = root + e.file[len(copy):]
        if e.file.startswith(copy + os.sep) and os.path.isfile(file):
            entries.append(Entry(file, flags + behind))
    return entries
