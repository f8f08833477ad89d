"""Keeper of a run of assay: python -E -s -S assay_keeper.py SETTINGS.json

Starts the program named by the settings and seals what it reports over a pipe.
The key is here alone: the program is another process, which cannot read the
memory of this one. What the program reports when it has ended is not taken.

The settings: "report", the file to write; "key", a file with a hex key, which
is deleted; "command", a list, {python} standing for this interpreter;
"environment", variables to set for it; "prepare", shell to run before, "" for
none, whose failure ends the run. PYTHONPATH goes to the program as
ASSAY_PYTEST_PATH: what lies there may not have a say in its start. Runs on
Python 2.7 and 3.6 and later, with modules of the standard library only. Leaves
with the program's exit code, 128+n after signal n.
"""
import sys

if __name__ == "__main__":
    del sys.path[0]  # nothing beside this file can stand in for a module

try:
    import binascii
    import errno
    import fcntl
    import hashlib
    import hmac
    import io
    import json
    import os
    import select
    import signal
    import subprocess
except ImportError:
    if not sys.flags.no_site:
        raise
    # Environments of virtualenv for Python 2 find their library with site alone.
    import posix

    posix.execv(sys.executable, [sys.executable, "-E", "-s"] + sys.argv)


def hide():
    """Forbids other processes to read this one's memory (PR_SET_DUMPABLE)."""
    try:
        import ctypes

        ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
    except Exception:  # no ctypes, or another kernel
        pass


def take_key(path):
    with io.open(path, encoding="ascii") as stream:
        text = stream.read()
    os.unlink(path)
    key = binascii.unhexlify(text.strip().encode("ascii"))
    if not key:
        raise ValueError("the key of the report is empty")
    return key


class Report(object):
    """Appends sealed lines: "<mac> <line>", the mac being the first 32 hex
    digits of HMAC-SHA256(key, mac of the line before, "" at first, + line)."""

    def __init__(self, path, key):
        self.fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o644)
        self.key, self.last, self.rest = key, b"", b""

    def line(self, text):
        digest = hmac.new(self.key, self.last + text, hashlib.sha256).hexdigest()[:32]
        self.last = digest.encode("ascii")
        data = self.last + b" " + text + b"\n"
        while data:
            data = data[os.write(self.fd, data):]

    def feed(self, data):
        parts = (self.rest + data).split(b"\n")
        self.rest = parts.pop()
        for part in parts:
            self.line(part)


def start(command, environment, pipe):
    """Starts the program, which finds the number of its end of the pipe in its
    environment. Returns its process id."""
    environ = dict(os.environ)
    environ.update((str(name), str(value)) for name, value in environment.items())
    environ["ASSAY_PYTEST_PATH"] = environ.pop("PYTHONPATH", "")
    reading, writing = pipe
    environ["ASSAY_PYTEST_PIPE"] = str(writing)
    pid = os.fork()
    if pid:
        os.close(writing)
        return pid
    try:
        os.close(reading)
        if hasattr(os, "set_inheritable"):
            os.set_inheritable(writing, True)
        os.execve(sys.executable, [sys.executable if part == "{python}" else part for part in command], environ)
    finally:
        os._exit(127)


def flags(fd, get, put, more):
    fcntl.fcntl(fd, put, fcntl.fcntl(fd, get) | more)


def follow(pid, reading, report):
    """Seals what comes until the program ends, and then what it had sent."""
    woken, waking = os.pipe()
    for fd in (woken, waking, reading):
        flags(fd, fcntl.F_GETFL, fcntl.F_SETFL, os.O_NONBLOCK)
        flags(fd, fcntl.F_GETFD, fcntl.F_SETFD, fcntl.FD_CLOEXEC)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    signal.set_wakeup_fd(waking)
    watched, status = [reading, woken], None
    while True:
        done, found = os.waitpid(pid, os.WNOHANG)
        if done:
            status = found
        ready = watched if status is not None else wait(watched)
        if woken in ready:
            take(woken)
        data = take(reading) if reading in ready else None
        if data:
            report.feed(data)
        elif data == b"":
            watched = [woken]  # all ends are closed
        if status is not None and not data:
            return status


def wait(watched):
    try:
        return select.select(watched, [], [])[0]
    except select.error as err:
        if err.args[0] != errno.EINTR:
            raise
        return []


def take(fd):
    """What a pipe holds; b"" at its end, None where it holds nothing yet."""
    try:
        return os.read(fd, 65536)
    except OSError as err:
        if err.errno not in (errno.EAGAIN, errno.EINTR):
            raise
        return None


def main(path):
    with io.open(path, encoding="utf-8") as stream:
        settings = json.load(stream)
    os.unlink(path)  # it says where the report is: nobody else need know
    hide()
    report = Report(settings["report"], take_key(settings["key"]))
    if settings["prepare"]:
        code = subprocess.call(["/bin/sh", "-c", settings["prepare"]])
        if code:
            return code if code > 0 else 128 - code
    pipe = os.pipe()
    pid = start(settings["command"], settings["environment"], pipe)
    status = follow(pid, pipe[0], report)
    code = 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    report.line(json.dumps({"ev": "left", "exit": code}).encode("ascii"))
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
