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
import threading
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


def plain(value):
    """The function behind a property or a method."""
    return getattr(value, "__func__", None) or getattr(value, "fget", None) or value


def code(value):
    """The code behind a function, a property or a method."""
    return getattr(plain(value), "__code__", None)


def state(value):
    """What a function works with beside its code: its defaults, and what it
    closes over."""
    function = plain(value)
    if not isinstance(function, types.FunctionType):
        return []
    more = getattr(function, "__kwdefaults__", None)
    found = [function.__defaults__, more] + [more[name] for name in sorted(more or ())]
    for cell in function.__closure__ or ():
        try:
            found.append(cell.cell_contents)
        except ValueError:  # it is empty
            found.append(None)
    return found


def codes(found):
    yield found
    for const in found.co_consts:
        if isinstance(const, types.CodeType):
            for inner in codes(const):
                yield inner


def genuine(found, read={}):
    """Tells whether code stands where it says: in that file, at that line, with
    these names. What pytest makes of assertions has more of them."""
    place = found.co_filename
    if place not in read:
        read[place] = {}
        try:
            with io.open(place, "rb") as stream:
                for c in codes(compile(stream.read(), place, "exec", dont_inherit=True)):
                    read[place].setdefault((c.co_name, c.co_firstlineno), set(c.co_names) - {"AssertionError"})
        except Exception:
            pass
    known = read[place].get((found.co_name, found.co_firstlineno))
    return known is not None and known <= set(found.co_names)


def watch(packages, folders, lists=(), reporter=""):
    """Notes what the runner is made of. Returns a function that gives the names
    of what is another thing by now, and of what was added: tests that put things
    back are not seen. What comes from the folders of the environment, plugins
    for one, may change it. The lists must stay as they are. The reporter is
    called so, as its name is another one in every run."""
    known = [(name, vars(holder), key, vars(holder)[key], code(vars(holder)[key]), state(vars(holder)[key])) for name, holder, key in parts(packages)]
    holders = dict((id(holder), (name.rpartition(".")[0], holder)) for name, holder, _ in parts(packages) if getattr(holder, "__name__", "") not in ("builtins", "__builtin__"))
    names = [(name, vars(holder), isinstance(holder, type), frozenset(vars(holder))) for name, holder in holders.values()]
    contents = [(one, list(one)) for one in lists]
    told, gettrace, getprofile = set(), sys.gettrace, sys.getprofile
    before = gettrace(), getprofile()

    def foreign(value):
        found = code(value)
        place = getattr(found, "co_filename", "")
        return not any(place.startswith(folder + os.sep) for folder in folders) or not genuine(found)

    def alike(now, was):
        return len(now) == len(was) and all(a is b for a, b in zip(now, was))

    def added():
        for name, held, is_class, had in names:
            for key in set(held) - had:
                value = held[key]
                if (hasattr(type(value), "__get__") if is_class else isinstance(value, (types.FunctionType, types.BuiltinFunctionType, type))) and foreign(value):
                    yield name + "." + key

    def changed():
        found = []
        for name, held, key, value, was, had in known:
            now = held.get(key)
            if now is not value or code(now) is not was:
                if foreign(now):
                    found.append(name)
            elif not alike(state(now), had):
                found.append(name)
        found.extend(added())
        if any(not alike(one, had) for one, had in contents):
            found.append("reporter")
        if (gettrace(), getprofile()) != before:
            found.append("sys.settrace")
        found = ["reporter" + name[len(reporter):] if reporter and name.startswith(reporter) else name for name in found]
        fresh = sorted(set(found) - told)
        told.update(fresh)
        return fresh

    return changed


def listen(tell, folders, files):
    """Has calls told by which code can change what runs and put it back again.
    Those count whose innermost caller outside of the environment is no test
    file. An audit hook stays until the process ends (Python 3.8)."""
    told, frame_of, inner = set(), getattr(sys, "_getframe", None), threading.local()

    def ours(place):
        return place.startswith("<frozen ") or any(place.startswith(folder + os.sep) for folder in folders)

    def function(value):
        """Tells whether it is one of the environment's, or a test's."""
        place = getattr(code(value), "co_filename", "")
        return ours(place) or os.path.abspath(place) in files

    # As Python names them for audit hooks, and what tells those that count.
    calls = {
        "sys.settrace": lambda given: True,
        "sys.setprofile": lambda given: True,
        "ctypes.cdata": lambda given: True,  # memory at an address
        "ctypes.dlsym": lambda given: str(given[-1]).startswith("Py") and given[-1] != "PyThreadState_SetAsyncExc",
        "object.__setattr__": lambda given: given[1] in ("__code__", "__defaults__", "__kwdefaults__") and function(given[0]),
        "open": lambda given: str(given[0]).startswith("/proc/") and str(given[0]).endswith("/mem"),
    }

    def caller():
        frame = frame_of(2)
        while frame is not None:
            place = frame.f_code.co_filename
            if not ours(place):
                return place
            frame = frame.f_back
        return ""

    def hook(event, given):
        counts = calls.get(event)
        if counts is None or event in told or getattr(inner, "busy", False):
            return
        inner.busy = True
        try:
            place = counts(given) and caller()
            if place and os.path.abspath(place) not in files:
                told.add(event)
                tell("call." + event)
        except Exception:
            pass  # the interpreter is ending
        finally:
            inner.busy = False

    if frame_of and hasattr(sys, "addaudithook"):
        sys.addaudithook(hook)


def writer(pipe):
    """A function that reports what drifted, without the reporter."""
    put, dumps, getpid, owner = os.write, json.dumps, os.getpid, os.getpid()

    def tell(name):
        try:
            if pipe is not None and getpid() == owner:
                put(pipe, ('{"ev": "drift", "id": %s}\n' % dumps(name)).encode("ascii"))
        except OSError:
            pass  # closed: the cut report tells

    return tell


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
    pipe = os.environ.get("ASSAY_PYTEST_PIPE")
    tell = writer(None if pipe is None else int(pipe))
    reporter = load_reporter(str(settings["module"]), settings["source"])
    for name in shadowed:
        reporter.shadows(name)
    os.unlink(sys.argv[1])  # it says what our tests are called
    if settings.get("guard"):
        guard = load_reporter(str(settings["module"]) + "_copies", settings["guard"])
        reporter.guard(guard.Guard(settings["files"], settings.get("copies", [])))
    builtin = "builtins" if sys.version_info[0] > 2 else "__builtin__"
    lists = [getattr(reporter, name) for name in ("_changed", "_guards") if hasattr(reporter, name)]
    asked, owner = [], os.getpid()
    reporter.watch(lambda: asked[0]())
    asked.append(watch(set(settings["own"]) | {"unittest", "pluggy", builtin, reporter.__name__}, solid, lists, reporter.__name__))
    files = set(os.path.abspath(f) for f in settings.get("files", []))
    listen(tell, [os.path.realpath(p) for p in solid] + solid + [os.path.dirname(os.path.abspath(__file__))], files)
    sys.path[:] = full + [os.path.dirname(os.path.abspath(settings["source"]))]
    arguments = sys.argv[2:]
    try:
        if not settings["runner"]:
            sys.argv[:] = [settings["source"]] + arguments
            sys.exit(reporter.main(arguments))
        sys.argv[1:] = arguments
        runpy.run_module(str(settings["runner"]), run_name="__main__", alter_sys=True)
    finally:
        for name in asked[0]() if os.getpid() == owner else []:
            tell(name)


if __name__ == "__main__":
    main()
