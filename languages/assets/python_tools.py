"""What the programs of assay's set-up for Python share."""
import contextlib
import glob
import os
import re
import signal
import subprocess
import tempfile

HOME = "/opt/assay-python"
VENV = "/opt/venv"
BUILD = HOME + "/build"
ROOT = "/testbed"
SETTLED = 978307200  # 2001-01-01, as in the archives of sources


def say(*words):
    print("assay:", *words, flush=True)


def run(command, cwd="/", limit=None, **env):
    """Runs a command; returns whether it went well, and what it printed.

    What takes longer than limit seconds has failed; builds that were still
    going on are named in the text then.
    """
    with tempfile.TemporaryFile("w+", errors="replace") as out:
        process = subprocess.Popen(
            command, cwd=cwd, env=dict(os.environ, **env), stdout=out, stderr=subprocess.STDOUT, start_new_session=True,
        )
        try:
            process.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        out.seek(0)
        text = out.read()
    if process.returncode == -signal.SIGKILL:
        begun = re.findall(r"Building ([A-Za-z0-9._-]+)==", text)
        text += "".join("\nFailed to build `%s==in time`" % n for n in begun if "Built " + n + "==" not in text)
    return process.returncode == 0, text


def last(text, lines=4):
    kept = [l for l in text.splitlines() if l.strip() and not l.startswith("Using Python")]
    return " | ".join(l.strip() for l in kept[-lines:])


def name_of(requirement):
    match = re.match(r"[A-Za-z0-9][A-Za-z0-9._-]*", requirement)
    return re.sub(r"[-_.]+", "-", match.group(0)).lower() if match else ""


def write(path, lines):
    with open(path, "w") as stream:
        stream.write("".join(l + "\n" for l in lines))


def settle(*folders):
    """Gives what was installed the time that sources have, so that instances can
    share what is the same. Bytecode names its source's time and is made anew
    where that changed."""
    for folder in folders:
        for home, _, names in os.walk(folder):
            for name in names:
                path = os.path.join(home, name)
                if name.endswith(".pyc") or os.path.islink(path) or os.stat(path).st_mtime == SETTLED:
                    continue
                os.utime(path, (SETTLED, SETTLED))
                if name.endswith(".py"):
                    for old in [path + "c"] + glob.glob(glob.escape("%s/__pycache__/%s." % (home, name[:-3])) + "*.pyc"):
                        if os.path.exists(old):
                            os.remove(old)


def next_day(day):
    import datetime

    return str(datetime.date(*map(int, day.split("-"))) + datetime.timedelta(days=1))


@contextlib.contextmanager
def untagged(root):
    """Takes the tags of development versions out of setup.cfg meanwhile: with the
    day in them, the version is another one each day, and often no valid one."""
    path = root + "/setup.cfg"
    text = ""
    if os.path.exists(path):
        with open(path, newline="", errors="surrogateescape") as stream:
            text = stream.read()
    plain = re.sub(r"(?m)^(tag_build|tag_date|tag_svn_revision)[ \t]*=.*\n", "", text)

    def put(content):
        if plain != text:
            with open(path, "w", newline="", errors="surrogateescape") as stream:
                stream.write(content)

    put(plain)
    try:
        yield
    finally:
        put(text)
