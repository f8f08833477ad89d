"""unittest runner of assay: python assay_unittest.py FILE...

Loads test files by their paths from the working directory, runs them in
order, and writes what happens as JSON Lines to $ASSAY_PYTEST_REPORT, each
line at once. $ASSAY_PYTEST_SELECT, where set, names a JSON list of ids
(path, path::Class, path::Class::test) to which the run is confined, and
$ASSAY_PYTEST_KEY a file with a hex key that seals the report's lines;
$ASSAY_PYTEST_PIPE, where a keeper started this process, is the number of its
pipe, which takes the place of report and key. Needs nothing beside Python 3.6. Exit codes: 0 all went well, 1 not all, 5 none ran.
"""
import binascii
import fcntl
import hashlib
import hmac
import importlib
import importlib.util
import io
import json
import os
import sys
import time
import traceback
import unittest

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


def cut(text):
    lines = text[: 4 * MESSAGE_CHARS].splitlines()[:MESSAGE_LINES]
    return "\n".join(lines)[:MESSAGE_CHARS]


def describe(err):
    """The exception's own words first, then the beginning of its trace."""
    head = "".join(traceback.format_exception_only(err[0], err[1])).strip()
    try:
        trace = "".join(traceback.format_exception(*err))
    except Exception:  # an exception whose text cannot be made
        trace = ""
    return cut(head + "\n" + trace)


class Tests:
    """The tests that were loaded, and their ids."""

    def __init__(self):
        self.ids = {}
        self.kept = []  # the suites drop their tests; ids must stay unique

    def add(self, path, test, nodeid):
        self.ids[id(test)] = nodeid
        self.kept.append((path, test))

    def id(self, test):
        parent = getattr(test, "test_case", test)  # of a sub-test
        return self.ids.get(id(parent))

    def of_class(self, dotted):
        return [t for _, t in self.kept if _dotted(type(t)) == dotted]

    def of_module(self, module):
        return [t for _, t in self.kept if type(t).__module__ == module]

    def path_of(self, test):
        return next((path for path, t in self.kept if t is test), "")


def node_id(path, test):
    """path::Class::test; a test without a method of its own has its own id."""
    method = getattr(test, "_testMethodName", None)
    if method is None or isinstance(test, unittest.FunctionTestCase):
        return path + "::" + test.id()
    classes = [part for part in type(test).__qualname__.split(".") if part != "<locals>"]
    return "::".join([path] + classes + [method])


def _dotted(cls):
    return cls.__module__ + "." + cls.__qualname__


# Counts the lines that follow for a test, in a run whose coverage is measured.
cover = getattr(sys, "_assay_cover", lambda test: None)


class Result(unittest.TestResult):
    """Writes the events of a run."""

    def __init__(self, write, tests):
        super().__init__()
        self.write = write
        self.tests = tests
        self.begun = {}
        self.bad = 0

    def startTest(self, test):
        super().startTest(test)
        nodeid = self.tests.id(test)
        self.begun[nodeid] = time.time()
        self.write("start", id=nodeid)
        cover(nodeid)

    def stopTest(self, test):
        super().stopTest(test)
        cover("")
        nodeid = self.tests.id(test)
        took = max(0, time.time() - self.begun.get(nodeid, time.time()))
        self.write("end", id=nodeid, seconds=round(took, 6))

    def phase(self, test, outcome, msg="", when="call", **more):
        nodeid = self.tests.id(test)
        if nodeid is None:
            self.fixture(test, outcome, msg)
            return
        if outcome == "failed":
            self.bad += 1
        if test is not getattr(test, "test_case", test):
            more["sub"] = True
        self.write("phase", id=nodeid, when=when, outcome=outcome, msg=msg, **more)

    def fixture(self, holder, outcome, msg):
        """Reports setUpClass and its like, for the tests that it kept back."""
        name, _, rest = holder.id().partition(" (")
        dotted = rest.rstrip(")")
        of_class = name.endswith("Class")
        members = self.tests.of_class(dotted) if of_class else self.tests.of_module(dotted)
        if outcome == "failed":
            self.bad += 1
        if name.startswith("setUp"):
            for test in members:
                nodeid = self.tests.id(test)
                if nodeid not in self.begun:
                    self.write("phase", id=nodeid, when="setup", outcome=outcome, msg=msg)
            return
        where = self.tests.path_of(members[0]) if members else dotted
        if of_class and members:
            where = self.tests.id(members[0]).rpartition("::")[0]
        self.write("collecterror", id=where, outcome=outcome, msg=msg)

    def addSuccess(self, test):
        self.phase(test, "passed")

    def addFailure(self, test, err):
        self.phase(test, "failed", describe(err))

    def addError(self, test, err):
        self.phase(test, "failed", describe(err), when=where_of(test, err))

    def addSkip(self, test, reason):
        self.phase(test, "skipped", str(reason))

    def addExpectedFailure(self, test, err):
        self.phase(test, "skipped", describe(err), xfail=True)

    def addUnexpectedSuccess(self, test):
        self.phase(test, "failed", "unexpected success")

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.phase(test, "failed", "%s\n%s" % (subtest._subDescription(), describe(err)), sub=True)


def where_of(test, err):
    """Tells whether an error rose in setUp or tearDown, by its trace."""
    frame = err[2]
    while frame is not None:
        name = frame.tb_frame.f_code.co_name
        own = frame.tb_frame.f_locals.get("self") is test
        if own and name in ("setUp", "asyncSetUp"):
            return "setup"
        if own and name in ("tearDown", "asyncTearDown", "doCleanups"):
            return "teardown"
        if own and name == getattr(test, "_testMethodName", None):
            return "call"
        frame = frame.tb_next
    return "call"


def module_of(path):
    """Imports a file under the name that it has in its package."""
    path = os.path.abspath(path)
    top, parts = os.path.dirname(path), [os.path.splitext(os.path.basename(path))[0]]
    while os.path.isfile(os.path.join(top, "__init__.py")):
        top, name = os.path.split(top)
        parts.insert(0, name)
    if top not in sys.path:
        sys.path.insert(0, top)
    name = ".".join(parts)
    module = importlib.import_module(name) if not taken(name, path) else None
    if module is not None and same(getattr(module, "__file__", None), path):
        return module
    # Another module bears this name: take the file itself under its own.
    unique = "assay_" + "_".join(parts) + "_%d" % len(sys.modules)
    spec = importlib.util.spec_from_file_location(unique, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[unique] = module
    spec.loader.exec_module(module)
    return module


def taken(name, path):
    module = sys.modules.get(name)
    return module is not None and not same(getattr(module, "__file__", None), path)


def same(a, b):
    return bool(a) and os.path.realpath(a) == os.path.realpath(b)


def walk(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from walk(test)
        else:
            yield test


def load(path, write):
    """Returns a file's tests; what keeps it from loading is an event."""
    loader = unittest.TestLoader()
    try:
        tests = list(walk(loader.loadTestsFromModule(module_of(path))))
    except unittest.SkipTest as skip:
        write("collecterror", id=path, outcome="skipped", msg=str(skip))
        return None
    except KeyboardInterrupt:
        raise
    except BaseException:
        write("collecterror", id=path, outcome="failed", msg=describe(sys.exc_info()))
        return None
    failed = [t for t in tests if type(t).__name__ == "_FailedTest"]
    for test in failed:  # load_tests raised
        text = str(getattr(test, "_exception", "loading the tests failed"))
        write("collecterror", id=path, outcome="failed", msg=cut(text))
    return [t for t in tests if t not in failed] if not failed else None


def selected(nodeid, wanted):
    for prefix in wanted:
        bare = prefix.partition("[")[0]  # unittest has no parameters
        if nodeid == bare or nodeid.startswith(bare + "::"):
            return True
    return False


_shadowed = []


def shadows(name):
    """Reports a module of the submission that another one's name hides."""
    _shadowed.append(name)


_changed = []


def watch(changed):
    """Takes a function that tells what of the runner has become another thing."""
    _changed.append(changed)


def main(paths):
    write = _open_report(os.environ.pop("ASSAY_PYTEST_REPORT", None), _take_key())
    chosen = os.environ.pop("ASSAY_PYTEST_SELECT", None)
    wanted = None
    if chosen:
        with io.open(chosen, encoding="utf-8") as stream:
            wanted = json.load(stream)
    write("session", runner="unittest", version=sys.version.split()[0])
    for name in _shadowed:
        write("shadow", id=name)
    sys.path[0] = os.getcwd()  # as python -m unittest has it
    sys.argv[1:] = []
    tests, suite, broken = Tests(), unittest.TestSuite(), 0
    for path in paths:
        loaded = load(path, write)
        if loaded is None:
            broken += 1
            continue
        for test in loaded:
            nodeid = node_id(path, test)
            if wanted is None or selected(nodeid, wanted):
                tests.add(path, test, nodeid)
                suite.addTest(test)
    for prefix in wanted or []:
        if not any(selected(nodeid, [prefix]) for nodeid in tests.ids.values()):
            write("unmatched", id=prefix)
    result = Result(write, tests)
    for _, test in tests.kept:
        write("collect", id=tests.id(test))
    suite.run(result)
    for changed in _changed:
        for name in changed():
            write("drift", id=name)
    code = 1 if result.bad or broken else 0 if tests.kept else 5
    write("finish", exit=code)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
