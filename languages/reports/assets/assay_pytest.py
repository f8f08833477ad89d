"""pytest plugin of assay: writes what happens as JSON Lines, at once.

$ASSAY_PYTEST_REPORT names the file; $ASSAY_PYTEST_SELECT, where set, a JSON
list of node ids to which the run is confined. Works with pytest 4 to 9 on
Python 3.6 and later. Under pytest-xdist only the controller writes; the
selection is handed on to the workers.
"""
import json
import os

import pytest

MESSAGE_LINES = 20
MESSAGE_CHARS = 2048


class Writer:
    """Appends events to the report, each with a single write."""

    def __init__(self, path):
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND
        self.fd = os.open(path, flags, 0o644)
        self.pid = os.getpid()

    def write(self, ev, **fields):
        # A test may fork and let the child run on into pytest's own code.
        if os.getpid() != self.pid:
            return
        # The event's kind comes first, so that the format can be told.
        ordered = dict([("ev", ev)] + sorted(fields.items()))
        try:
            os.write(self.fd, (json.dumps(ordered) + "\n").encode("ascii"))
        except OSError:
            pass  # a test closed it, or the disk is full: the cut report tells


class State:
    writer = None
    select = None


def _begin(writes):
    """Reads the environment, once, before any code of the project runs."""
    path = os.environ.pop("ASSAY_PYTEST_REPORT", None)
    chosen = os.environ.pop("ASSAY_PYTEST_SELECT", None)
    if chosen:
        with open(chosen, encoding="utf-8") as stream:
            State.select = json.load(stream)
    if path and writes:
        State.writer = Writer(path)
        State.writer.write("session", runner="pytest", version=pytest.__version__)


def _write(ev, **fields):
    if State.writer is not None:
        State.writer.write(ev, **fields)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config, parser, args):
    _begin(True)


def pytest_configure(config):
    workerinput = getattr(config, "workerinput", None)
    if workerinput is not None:
        State.writer = None
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
        keep = [i for i in items if selected(i.nodeid, State.select)]
        drop = [i for i in items if not selected(i.nodeid, State.select)]
        for prefix in State.select:
            if not any(selected(i.nodeid, [prefix]) for i in keep):
                _write("unmatched", id=prefix)
        if drop:
            config.hook.pytest_deselected(items=drop)
            items[:] = keep
    for item in items:
        _write("collect", id=item.nodeid)


def pytest_collectreport(report):
    if report.failed:
        _write("collecterror", id=report.nodeid, outcome="failed", msg=_text(report))
    elif report.skipped and report.nodeid.endswith(".py"):
        _write("collecterror", id=report.nodeid, outcome="skipped", msg=_text(report))


def pytest_runtest_logstart(nodeid, location):
    _write("start", id=nodeid)


def pytest_runtest_logreport(report):
    sub = type(report).__name__ in ("SubTestReport", "SubtestReport")
    fields = {
        "id": report.nodeid,
        "when": str(report.when),
        "outcome": report.outcome,
        "seconds": round(getattr(report, "duration", 0) or 0, 6),
    }
    if sub:
        fields["sub"] = True
    if hasattr(report, "wasxfail"):
        fields["xfail"] = True
    if report.outcome != "passed":
        fields["msg"] = _text(report)
    _write("phase", **fields)


def pytest_runtest_logfinish(nodeid, location):
    _write("end", id=nodeid)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session, exitstatus):
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
