"""Start of a runner under assay: python assay_boot.py SETTINGS.json ARGUMENT...

Loads the runner, everything of its own and our reporter before any folder of
the repository is on the path, so that nothing of the repository can stand in
for one of their modules. Then the path is what "python -m RUNNER" makes it, and
the runner starts.

The settings: "module", the reporter's name, and "source", its file; "runner",
the module to run, "" where the reporter is the runner; "own", packages whose
modules are all loaded beforehand; "added", names of top-level modules that the
submission brings. Of these, those that exist outside of the repository are
reported. "guard", where it is not "", is the source of assay_copies.py, "files"
the test files and "copies" the copies that it makes. $ASSAY_PYTEST_PATH is the PYTHONPATH to set. Works on Python 2.7 and on
3.6 and later.
"""
import binascii  # noqa: F401 (the reporter's, also where the path is full)
import fcntl  # noqa: F401
import hashlib  # noqa: F401
import hmac  # noqa: F401
import io
import json
import os
import pkgutil
import runpy
import sys
import types


def outside(name, folders):
    """Tells whether a module of this name exists, and not in the folders."""
    if name in sys.builtin_module_names:
        return True
    place = None
    try:
        if sys.version_info[0] > 2:
            import importlib.util

            spec = importlib.util.find_spec(name)
            place = spec and (spec.origin or "")
            if spec and spec.submodule_search_locations and spec.origin is None:
                return False  # a folder without code stands in nobody's way
        else:
            import imp

            place = imp.find_module(name)[1] or ""
    except Exception:
        return False
    return place is not None and not within(place, folders)


def within(place, folders):
    place = os.path.realpath(place)
    return any(place == f or place.startswith(f + os.sep) for f in folders)


def load_own(names):
    """Imports packages with all of their modules, as far as that goes."""
    for name in names:
        try:
            package = __import__(name)
        except Exception:
            continue
        for found in pkgutil.walk_packages(getattr(package, "__path__", []), name + ".", lambda _: None):
            if not found[1].endswith("__main__"):
                try:
                    __import__(found[1])
                except BaseException:
                    pass


def load_reporter(name, source):
    """Makes the reporter a module of this name."""
    with io.open(source, encoding="utf-8") as stream:
        code = compile(stream.read().encode("utf-8"), source, "exec")
    module = types.ModuleType(name)
    module.__file__ = source
    if sys.version_info[0] > 2:
        import importlib.machinery

        module.__spec__ = importlib.machinery.ModuleSpec(name, None, origin=source)
    sys.modules[name] = module
    exec(code, module.__dict__)
    return module


def parts(packages):
    """Yields every function of the packages' modules and classes: its name, the
    object that holds it, and what it is there called."""
    kinds = (types.FunctionType, types.BuiltinFunctionType, classmethod, staticmethod, property, type)
    for module in [m for n, m in sorted(sys.modules.items()) if m and n.partition(".")[0] in packages]:
        for name, value in list(vars(module).items()):
            if not isinstance(value, kinds):
                continue
            full = module.__name__ + "." + name
            yield full, module, name
            if isinstance(value, type) and value.__module__ == module.__name__:
                for attribute, member in list(vars(value).items()):
                    if isinstance(member, kinds):
                        yield full + "." + attribute, value, attribute


def code(value):
    """The code behind a function, a property or a method."""
    value = getattr(value, "__func__", None) or getattr(value, "fget", None) or value
    return getattr(value, "__code__", None)


def watch(packages, folders):
    """Notes what the runner is made of. Returns a function that gives the names
    of what is another thing by now: tests that put things back are not seen.
    What comes from the folders of the environment, plugins for one, may change
    it."""
    known = [(name, vars(holder), key, vars(holder)[key], code(vars(holder)[key])) for name, holder, key in parts(packages)]
    told, gettrace, getprofile = set(), sys.gettrace, sys.getprofile
    before = gettrace(), getprofile()

    def foreign(value):
        place = getattr(code(value), "co_filename", "")
        return not any(place.startswith(folder + os.sep) for folder in folders)

    def changed():
        found = []
        for name, held, key, value, was in known:
            now = held.get(key)
            if (now is not value or code(now) is not was) and foreign(now):
                found.append(name)
        if (gettrace(), getprofile()) != before:
            found.append("sys.settrace")
        fresh = sorted(set(found) - told)
        told.update(fresh)
        return fresh

    return changed


def theirs(folders, added):
    """The names that the repository itself has at the top of the path."""
    names = set()
    for folder in folders:
        for entry in os.listdir(folder) if os.path.isdir(folder) else []:
            full, (stem, ext) = os.path.join(folder, entry), os.path.splitext(entry)
            if ext == ".py" or os.path.isfile(os.path.join(full, "__init__.py")):
                names.add(stem)
    return names - added


def taken(names, folders):
    """Modules loaded from elsewhere although the repository has their name."""
    out = []
    for name in sorted(names & set(n.partition(".")[0] for n in sys.modules)):
        place = getattr(sys.modules.get(name), "__file__", None)
        if place and not within(place, folders):
            out.append(name)
    return out


def begin(settings, plain):
    here = os.path.realpath(os.getcwd())
    given = os.environ.get("ASSAY_PYTEST_PATH", "")
    path = [here] + [os.path.abspath(p) for p in given.split(os.pathsep) if p]
    folders = [os.path.realpath(p) for p in path]
    added = set(settings["added"])
    isolated, full = sys.path[1:], path + sys.path[1:]
    sys.path[:] = full if plain else isolated
    # What the repository adds is looked for where it is not.
    shadowed = sorted(n for n in added if outside(n, folders)) if not plain else []
    load_own(settings["own"] + ["unittest"])
    names = theirs(path, added)
    if not plain and (taken(names, folders) or any(n not in sys.modules for n in settings["own"][:1])):
        # The repository has a module of the runner's from before, or is the
        # runner: the runner has to take that one.
        os.environ["ASSAY_PYTEST_PLAIN"] = json.dumps(shadowed)
        os.execv(sys.executable, [sys.executable] + sys.argv)
    return full, shadowed


def main():
    with io.open(sys.argv[1], encoding="utf-8") as stream:
        settings = json.load(stream)
    plain = os.environ.pop("ASSAY_PYTEST_PLAIN", None)
    solid = [p for p in sys.path[1:] if not within(p, [os.path.realpath(os.getcwd())])]
    full, shadowed = begin(settings, plain is not None)
    shadowed = json.loads(plain) if plain is not None else shadowed
    given = os.environ.pop("ASSAY_PYTEST_PATH", "")
    if given:
        os.environ["PYTHONPATH"] = given
    reporter = load_reporter(str(settings["module"]), settings["source"])
    for name in shadowed:
        reporter.shadows(name)
    os.unlink(sys.argv[1])  # it says what our tests are called
    if settings.get("guard"):
        guard = load_reporter(str(settings["module"]) + "_copies", settings["guard"])
        reporter.guard(guard.Guard(settings["files"], settings.get("copies", [])))
    builtin = "builtins" if sys.version_info[0] > 2 else "__builtin__"
    reporter.watch(watch(set(settings["own"]) | {"unittest", "pluggy", builtin, reporter.__name__}, solid))
    sys.path[:] = full + [os.path.dirname(os.path.abspath(settings["source"]))]
    arguments = sys.argv[2:]
    if not settings["runner"]:
        sys.argv[:] = [settings["source"]] + arguments
        sys.exit(reporter.main(arguments))
    sys.argv[1:] = arguments
    runpy.run_module(str(settings["runner"]), run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
