"""pytest plugin of assay: writes what happens as JSON Lines, at once.

$ASSAY_PYTEST_REPORT names the file; $ASSAY_PYTEST_SELECT, where set, a JSON
list of node ids to which the run is confined; $ASSAY_PYTEST_KEY, where set, a
file with a hex key that seals the report's lines. $ASSAY_PYTEST_PIPE, where a
keeper started this process, is the number of its pipe, which takes the place of
the other two. Works under any module name, with pytest 4 to 9 on Python 2.7 and
on 3.6 and later. Under pytest-xdist only the controller writes; the selection
is handed on to the workers. PYTEST_DONT_REWRITE: it may be loaded beforehand.
"""
import binascii
import fcntl
import hashlib
import hmac
import io
import json
import os
import sys
import unittest

import pytest

MESSAGE_LINES = 20
MESSAGE_CHARS = 2048


def _take_key():
    """Returns the key of the report's seal; its file is gone afterwards.

    Raises when there should be a key and none can be had, or it would stay:
    a run that is to be sealed must not go on without.
    """
    path = os.environ.pop("ASSAY_PYTEST_KEY", None)
    if path is None:
        return None
    with io.open(path, encoding="ascii") as stream:
        text = stream.read()
    os.unlink(path)
    key = binascii.unhexlify(text.strip().encode("ascii"))
    if not key:
        raise ValueError("the key of the report is empty")
    return key


def _sealer(fd, key):
    """Returns functions that seal a line, and that drop the key.

    A sealed line is "<mac> <line>"; the mac is the first 32 hex digits of
    HMAC-SHA256(key, mac of the line before, "" at first, + line). What the
    key makes is kept here alone, as a state that was fed nothing yet.
    """
    blank = [hmac.new(key, None, hashlib.sha256)]
    fstat = os.fstat
    # The mac before the line last tried, that line's own, and the sizes of
    # the file without it and with it; one tuple, so that no exception of a
    # signal's handler leaves half of it.
    state = [(b"", b"", 0, 0)]

    def seal(line):
        # A timeout's exception may have struck before or after the line went
        # out, and the disk may have been full: the file's size tells.
        before, after, start, end = state[0]
        size = fstat(fd).st_size
        if size not in (start, end):
            raise OSError("the report is cut or was tampered with")
        last = after if size == end else before
        mac = blank[0].copy()
        mac.update(last + line)
        digest = mac.hexdigest()[:32].encode("ascii")
        sealed = digest + b" " + line
        state[0] = last, digest, size, size + len(sealed) + 1
        return sealed

    def drop():
        blank[0] = None

    return seal, drop


def _open_report(path, key):
    """Returns a function that appends an event to the report.

    Where a keeper started this process, events go to its pipe.
    """
    pipe = os.environ.pop("ASSAY_PYTEST_PIPE", None)
    if not path and pipe is None:
        return lambda ev, **fields: None
    if pipe is not None:
        fd = int(pipe)
        # What tests start does not inherit it.
        fcntl.fcntl(fd, fcntl.F_SETFD, fcntl.fcntl(fd, fcntl.F_GETFD) | fcntl.FD_CLOEXEC)
    else:
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o644)
    seal, drop = _sealer(fd, key) if key else (None, None)
    # Tests may put other things into the places of these.
    put, getpid, dumps, fstat = os.write, os.getpid, json.dumps, os.fstat
    owner, closed = getpid(), []
    place = fstat(fd)[1:3]

    def write(ev, **fields):
        # A test may fork and let the child run on into the runner's code.
        if closed or getpid() != owner:
            return
        # The event's kind comes first, so that the format can be told.
        text = dumps(fields, sort_keys=True)
        line = ('{"ev": ' + dumps(ev) + (", " + text[1:] if fields else "}")).encode("ascii")
        data = (seal(line) if seal else line) + b"\n"
        try:
            if fstat(fd)[1:3] != place:
                closed.append(True)  # another file is in its place: the cut report tells
            while data and not closed:
                data = data[put(fd, data):]
        except OSError:
            pass  # a test closed it, or the disk is full: the cut report tells
        if seal and ev == "finish":
            closed.append(True)
            drop()

    return write


class State:
    select = None
    seen = 0  # tests that ended
    prefix = ""  # of ids, where pytest's rootdir lies below the working directory


def _place(config):
    """Node ids begin at pytest's rootdir; ours begin where the run was started."""
    root = str(getattr(config, "rootdir", "") or getattr(config, "rootpath", "") or "")
    rel = os.path.relpath(os.path.realpath(root), _start).replace(os.sep, "/") if root else "."
    if rel != "." and not rel.startswith(".."):
        State.prefix = rel + "/"


def _full(nodeid):
    return State.prefix + nodeid if nodeid else nodeid


def _begin():
    """Reads the environment, once, before any code of the project runs."""
    key = _take_key()
    path = os.environ.pop("ASSAY_PYTEST_REPORT", None)
    chosen = os.environ.pop("ASSAY_PYTEST_SELECT", None)
    if chosen:
        with io.open(chosen, encoding="utf-8") as stream:
            State.select = json.load(stream)
    write = _open_report(path, key)
    write("session", runner="pytest", version=pytest.__version__)
    return write


# The workers of xdist inherit an environment without the variables: they
# write nothing, and need no key.
_start = os.path.realpath(os.getcwd())
_write = _begin()
# Counts the lines that follow for a test, in a run whose coverage is measured.
_cover = getattr(sys, "_assay_cover", lambda test: None)


def shadows(name):
    """Reports a module of the submission that another one's name hides."""
    _write("shadow", id=name)


def watch(changed):
    """Takes a function that tells what of the runner has become another thing.
    It is asked when the tests are collected, after some of them and at the end."""
    _changed.append(changed)


_changed = []


def guard(guarded):
    """Takes what knows the tests' files (assay_copies.py)."""
    _guards.append(guarded)


_guards = []


def _look(write=_write, changed=_changed):
    for ask in changed:
        for name in ask():
            write("drift", id=name)


def _code(value):
    """The code of a function or a method; None of anything else."""
    return getattr(getattr(value, "__func__", value), "__code__", None)


class Tests:
    """What the tests that were collected are made of, to be held against what
    runs: code under test can reach the tests of the module that imports it."""

    nodes = {}  # node, by its id() to what _node() gives
    classes = {}  # class of tests to what _members() gives
    modules = {}  # module of tests to the names of Python's own that it has
    hooks = None  # functions of plugins before tests were imported, by id()
    called = None  # how hooks are called, then
    raised = set()  # ids of tests whose call ended with an exception
    told = set()


_PACKAGES = tuple(os.path.dirname(os.path.realpath(m.__file__)) + os.sep for m in (pytest, sys.modules["_pytest"], unittest))
_BUILTINS = frozenset(dir(__import__("builtins" if sys.version_info[0] > 2 else "__builtin__")))
# What classes get in the course of things.
_HARMLESS = ("__annotations__", "__doc__", "__abstractmethods__", "__parameters__", "__firstlineno__", "__static_attributes__", "__unittest_skip__", "__unittest_skip_why__")
# Of these a test's outcome is made.
_HOOKS = (
    "pytest_runtest_protocol",
    "pytest_runtest_setup",
    "pytest_runtest_call",
    "pytest_pyfunc_call",
    "pytest_runtest_teardown",
    "pytest_runtest_makereport",
    "pytest_runtest_logreport",
)


def _hooks(config):
    """Functions of plugins, by id(), which is theirs alone while they are held."""
    found = {}
    for name in _HOOKS:
        for impl in getattr(getattr(config.hook, name, None), "get_hookimpls", list)():
            found[id(impl.function)] = impl.function
    return found


def _calls(config):
    """How the hooks are called: objects of the plugin manager may do it anew."""
    manager = config.pluginmanager
    found = [_code(vars(manager).get(name)) for name in ("_hookexec", "_inner_hookexec")]
    for name in _HOOKS:
        caller = getattr(config.hook, name, None)
        found += [type(caller), _code(getattr(caller, "_hookexec", None))]
    return found


def _print(code):
    """What code does: its bytes, names and constants, which can be changed where
    they are."""
    if code is None:
        return None
    consts = [_print(c) if isinstance(c, type(code)) else (type(c), repr(c)) for c in code.co_consts]
    return code.co_code, code.co_names, consts


def _own(item):
    """The function that a test is, where its class or module keeps it."""
    holder = getattr(item, "cls", None) or getattr(item, "module", None)
    return getattr(holder, getattr(item, "originalname", None) or item.name, None)


def _node(item):
    """A test's own code, where it is kept, and what is expected of it."""
    marks = sorted(m.name for m in item.iter_markers() if m.name in ("xfail", "skip")) if hasattr(item, "iter_markers") else []
    own = sorted(k for k in vars(item) if k in ("runtest", "setup", "teardown", "reportinfo", "repr_failure"))
    code = _code(_own(item))
    return code, _code(vars(item).get("_obj")), marks, own, _print(code)


def _members(cls):
    return dict((name, _code(value)) for name, value in vars(cls).items() if _code(value) is not None)


def _shadows(module):
    """The names of a module that stand in for Python's own."""
    return set(_BUILTINS).intersection(vars(module)) if module is not None else set()


def _overrides(cls, names):
    """Names by which a class of tests would rule how its tests run."""
    return [n for n in names if n.startswith(("assert", "fail", "__")) and n not in _HARMLESS or hasattr(unittest.TestCase, n) and issubclass(cls, unittest.TestCase) and not n.startswith("_class")]


def _case(item):
    """The object whose method a test is; None where there is none."""
    return getattr(item, "_testcase", None) or getattr(getattr(item, "obj", None), "__self__", None)


def _lineage(item):
    return [c for c in getattr(getattr(item, "cls", None), "__mro__", ()) if c.__module__.partition(".")[0] not in ("unittest", "builtins", "__builtin__")]


def _remember(items):
    for item in items:
        Tests.nodes[id(item)] = item, _node(item)
        module = getattr(item, "module", None)
        if module is not None:
            Tests.modules.setdefault(id(module), (module, _shadows(module)))
        for cls in _lineage(item):
            if cls not in Tests.classes:
                Tests.classes[cls] = _members(cls), set(vars(cls))


def _foreign(function):
    """Tells whether a plugin's function is neither a conftest.py's nor of the
    environment, whose plugins may come late."""
    place = os.path.realpath(getattr(_code(function), "co_filename", ""))
    return os.path.basename(place) != "conftest.py" and (place.startswith(_start + os.sep) or not os.path.exists(place))


def _altered(item):
    """Names what of a test is another thing than when it was collected."""
    known = Tests.nodes.get(id(item))
    if known is not None:
        was, now = known[1], _node(item)
        if was[0] is not now[0] or was[1] is not None and was[1] is not now[1] or was[4] != now[4]:
            yield "tests.code"
        if was[2] != now[2]:
            yield "tests.marks"
        if was[3] != now[3]:
            yield "tests.nodes"
    module = Tests.modules.get(id(getattr(item, "module", None)))
    if module is not None and _shadows(module[0]) - module[1]:
        yield "tests.names"
    for cls in _lineage(item):
        known, now = Tests.classes.get(cls), _members(cls)
        if known is None:
            continue
        was, had = known
        if any(now.get(name) is not code for name, code in was.items()):
            yield "tests.code"
        if _overrides(cls, set(vars(cls)) - had):
            yield "tests.assertions"
    case, cls = _case(item), getattr(item, "cls", None)
    if case is not None and cls is not None:
        if type(case) is not cls:
            yield "tests.objects"
        if any(callable(value) for name, value in getattr(case, "__dict__", {}).items() if _overrides(cls, [name])):
            yield "tests.assertions"
    if Tests.hooks is not None:
        for key, function in _hooks(item.config).items():
            if key not in Tests.hooks and _foreign(function):
                yield "tests.hooks"
        if Tests.called != _calls(item.config):
            yield "tests.hooks"


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session):
    Tests.hooks = _hooks(session.config)
    Tests.called = _calls(session.config)


def _announced(item, error):
    """Tells whether it was not the test that said that it is expected to fail."""
    if not isinstance(error, pytest.xfail.Exception):
        return False
    place, step = "", getattr(error, "__traceback__", None)
    while step is not None:
        at = os.path.realpath(step.tb_frame.f_code.co_filename)
        if not at.startswith(_PACKAGES):
            place = at
        step = step.tb_next
    return place not in ("", os.path.realpath(str(getattr(item, "fspath", "")))) and os.path.basename(place) != "conftest.py"


def _compare(item):
    for name in sorted(set(_altered(item)) - Tests.told):
        _tell(name)


def _tell(name):
    if name not in Tests.told:
        Tests.told.add(name)
        _write("drift", id=name)


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_call(item):
    _compare(item)
    Tests.raised.discard(item.nodeid)
    outcome = yield
    # unittest's failures are kept with the test.
    kept = [getattr(e, "value", None) for e in vars(item).get("_excinfo") or ()]
    if getattr(outcome, "excinfo", None) or kept:
        Tests.raised.add(item.nodeid)
    if any(_announced(item, e) for e in kept + [(getattr(outcome, "excinfo", None) or (0, 0))[1]]):
        _tell("tests.expectations")
    _compare(item)


def pytest_configure(config):
    _place(config)
    workerinput = getattr(config, "workerinput", None)
    if workerinput is not None:
        State.select = workerinput.get("assay_select", State.select)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    node.workerinput["assay_select"] = State.select


def selected(nodeid, wanted):
    """Tells whether a node id is one of those wanted or stands under one."""
    for prefix in wanted:
        if nodeid == prefix:
            return True
        if nodeid.startswith(prefix) and nodeid[len(prefix)] in "[:/":
            return True
    return False


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(session, config, items):
    if State.select is not None:
        keep = [i for i in items if selected(_full(i.nodeid), State.select)]
        drop = [i for i in items if not selected(_full(i.nodeid), State.select)]
        for prefix in State.select:
            if not any(selected(_full(i.nodeid), [prefix]) for i in keep):
                _write("unmatched", id=prefix)
        if drop:
            config.hook.pytest_deselected(items=drop)
            items[:] = keep
    for guarded in _guards:
        if guarded.changed(items):
            _write("drift", id="tests.source")
        guarded.add(items, _full)
    for item in items:
        _write("collect", id=_full(item.nodeid))
    _remember(items)
    _look()


def pytest_collectreport(report):
    if report.failed:
        _write("collecterror", id=_full(report.nodeid), outcome="failed", msg=_text(report))
    elif report.skipped and report.nodeid.endswith(".py"):
        _write("collecterror", id=_full(report.nodeid), outcome="skipped", msg=_text(report))


def pytest_runtest_logstart(nodeid, location):
    _write("start", id=_full(nodeid))
    _cover(_full(nodeid))


def pytest_runtest_logreport(report):
    sub = type(report).__name__ in ("SubTestReport", "SubtestReport")
    fields = {
        "id": _full(report.nodeid),
        "when": str(report.when),
        "outcome": report.outcome,
        "seconds": round(getattr(report, "duration", 0) or 0, 6),
    }
    if sub:
        fields["sub"] = True
    if hasattr(report, "wasxfail"):
        fields["xfail"] = True
    if report.when == "call" and report.outcome == "passed" and not sub and report.nodeid in Tests.raised:
        _tell("tests.outcome")
    if report.outcome != "passed":
        fields["msg"] = _text(report)
    _write("phase", **fields)
    for guarded in _guards:
        guarded.took(fields["id"], fields["seconds"])


def pytest_runtest_logfinish(nodeid, location):
    _cover("")
    _write("end", id=_full(nodeid))
    State.seen += 1
    if State.seen & (State.seen - 1) == 0:  # a power of two
        _look()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session, exitstatus):
    _look()
    _write("finish", exit=int(exitstatus))


def _text(report):
    """The first lines of what a report says, headed by the bare message."""
    longrepr = getattr(report, "longrepr", None)
    if longrepr is None:
        return ""
    if isinstance(longrepr, tuple):  # (path, line, reason) of a skip
        return _cut(str(longrepr[-1]))
    text = str(longrepr)
    crash = getattr(longrepr, "reprcrash", None)
    head = getattr(crash, "message", None)
    if head:
        text = head + "\n" + text
    return _cut(text)


def _cut(text):
    lines = text[: 4 * MESSAGE_CHARS].splitlines()[:MESSAGE_LINES]
    return "\n".join(lines)[:MESSAGE_CHARS]
