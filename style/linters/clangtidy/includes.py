"""Which translation unit shows a header, or a file that no target compiles."""

import os
import re

from commands import SOURCES, Entry, inside

CPP_HEADERS = (".hpp", ".hh", ".hxx", ".h++", ".ipp", ".tpp", ".tcc", ".txx")
INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]', re.M)


class Finder:
    def __init__(self, root, database):
        self.root, self.database = root, database
        self.texts, self.places = {}, {}
        self.files = {e.file: e for e in database.entries}

    def command(self, file):
        """The entry by which to compile a file, how it was come by, and the
        unit that includes it, if any."""
        if file in self.files:
            return self.files[file], "database", None
        unit = None if file.endswith(SOURCES) else self.unit(file)
        if unit is not None:
            return Entry(file, unit.flags, unit.language), "borrowed", unit
        near = self.nearest(file)
        if near is not None:
            return spoken(near, file), "borrowed", None
        return Entry(file, self.fallback(file)), "fallback", None

    def unit(self, header):
        """The unit that includes a header: one of the same name before
        others, then by the fewest steps, the nearest place, the database's
        order."""
        best, best_key = None, None
        for order, e in enumerate(self.database.entries):
            steps = self.steps(e, header)
            if steps is None:
                continue
            key = (stem(e.file) != stem(header), steps, distance(e.file, header), order)
            if best is None or key < best_key:
                best, best_key = e, key
        return best

    def steps(self, entry, header):
        """How many includes lie between a unit and a header, through files of
        the repository; None where it is not reached."""
        seen, front, depth = {entry.file}, [entry.file], 0
        while front:
            depth, following = depth + 1, []
            for file in front:
                for path in self.included(file, entry.directories()):
                    if path == header:
                        return depth
                    if path not in seen:
                        seen.add(path)
                        following.append(path)
            front = following
        return None

    def included(self, file, directories):
        """The repository's files that a file includes, conditions ignored."""
        key = (file, directories)
        if key not in self.places:
            found = []
            for quote, name in self.spelled(file):
                first = (os.path.dirname(file),) if quote == '"' else ()
                path = next((p for p in (os.path.join(d, name) for d in first + directories) if os.path.isfile(p)), None)
                if path is not None and inside(path, self.root):
                    found.append(os.path.realpath(path))
            self.places[key] = found
        return self.places[key]

    def spelled(self, file):
        if file not in self.texts:
            with open(file, "rb") as f:
                self.texts[file] = [(q.decode(), os.fsdecode(n)) for q, n in INCLUDE.findall(f.read())]
        return self.texts[file]

    def nearest(self, file):
        """The entry whose place is nearest, of the same language first."""

        def key(entry):
            return entry.file.endswith(".c") != file.endswith(".c"), stem(entry.file) != stem(file), distance(entry.file, file)

        return min(self.database.entries, key=key, default=None)

    def fallback(self, file):
        """Plain flags, where nothing tells how the repository is compiled."""
        std = "c11" if file.endswith(".c") else "c++17"
        flags = ["-std=" + std]
        for d in (".", "include", "src"):
            path = os.path.normpath(os.path.join(self.root, d))
            if os.path.isdir(path):
                flags += ["-I", path]
        return flags


def spoken(entry, file):
    """An entry's command for a file that may be of the other language."""
    if not file.endswith(SOURCES + CPP_HEADERS):
        return Entry(file, entry.flags, entry.language)
    out = Entry(file, entry.flags)
    if out.language != entry.language:
        out.flags = [f for f in entry.flags if not f.startswith("-std=")]
    return out


def stem(path):
    return os.path.splitext(os.path.basename(path))[0]


def distance(a, b):
    """Steps from one file's directory to the other's."""
    a, b = os.path.dirname(a).split(os.sep), os.path.dirname(b).split(os.sep)
    common = len(os.path.commonprefix([a, b]))
    return len(a) + len(b) - 2 * common
