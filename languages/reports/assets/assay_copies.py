"""Copies of tests that must fail, for pytest under assay.

Code under test can reach into the test that calls it, and have the runner forget
its failures: a test that calls no such code notices nothing. So some of the
tests that decide run once more at the end, under names that were chosen for
them, with assertions below that must fail. One that passes shows that its
test would have passed anyway.

The tests' files are read before any code of the repository runs. What pytest
collects is compared with them. Works with Python 2.7 and 3.6 and later.
"""
import __future__
import ast
import io
import os
import textwrap
import types
import unittest

# How assertions of unittest are used wrongly; {0} stands for the test case.
WRONG = {
    "assertEqual": "{0}.assertEqual([1], [2])",
    "assertEquals": "{0}.assertEquals([1], [2])",
    "assertNotEqual": "{0}.assertNotEqual(1, 1)",
    "assertTrue": "{0}.assertTrue([])",
    "assertFalse": "{0}.assertFalse([1])",
    "assertIs": "{0}.assertIs(1, None)",
    "assertIsNot": "{0}.assertIsNot(None, None)",
    "assertIsNone": "{0}.assertIsNone(1)",
    "assertIsNotNone": "{0}.assertIsNotNone(None)",
    "assertIn": "{0}.assertIn(1, [])",
    "assertNotIn": "{0}.assertNotIn(1, [1])",
    "assertIsInstance": "{0}.assertIsInstance(1, str)",
    "assertListEqual": "{0}.assertListEqual([1], [2])",
    "assertDictEqual": "{0}.assertDictEqual({{1: 1}}, {{1: 2}})",
    "assertRaises": "{0}.assertRaises(KeyError, list)",
    "assertRaisesRegex": "{0}.assertRaisesRegex(KeyError, 'a', list)",
    "assertRaisesRegexp": "{0}.assertRaisesRegexp(KeyError, 'a', list)",
}

# What stands below a copy: every assertion must fail, and so must the test.
TAIL = """
_assay_failed = []
for _assay_wrong in [{wrong}]:
    try:
        _assay_wrong()
    except Exception as _assay_error:
        _assay_failed.append(_assay_error)
if len(_assay_failed) == {count}:
    assert [_assay_failed] == [], "a copy that must fail"
"""


def read(path):
    try:
        with io.open(path, "rb") as stream:
            return stream.read()
    except (IOError, OSError):
        return b""


def codes(code):
    """Yields a code object and all that it holds."""
    yield code
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            for inner in codes(const):
                yield inner


def code_of(value):
    return getattr(getattr(value, "__func__", value), "__code__", None)


# Python 2.7 has no other functions.
FUNCTIONS = (ast.FunctionDef, getattr(ast, "AsyncFunctionDef", ast.FunctionDef))


def statements(body):
    """Yields statements, and those in the branches of conditions and of try."""
    for node in body:
        yield node
        if isinstance(node, (ast.ExceptHandler, ast.If, getattr(ast, "Try", ast.If), getattr(ast, "TryExcept", ast.If), getattr(ast, "TryFinally", ast.If))):
            for part in ("body", "handlers", "orelse", "finalbody"):
                for inner in statements(getattr(node, part, [])):
                    yield inner


def find(tree, names, line=None):
    """The function that a path of names leads to; None where there is none. Of
    several it is the one that begins at the line, else the last one, as for
    Python."""
    found = list(every(tree, names))
    at = [node for node in found if min([node.lineno] + [d.lineno for d in node.decorator_list]) == line]
    return (at or found or [None])[-1]


def every(tree, names):
    for node in statements(tree.body):
        if getattr(node, "name", None) != names[0]:
            continue
        if len(names) > 1 and isinstance(node, ast.ClassDef):
            for inner in every(node, names[1:]):
                yield inner
        elif len(names) == 1 and isinstance(node, FUNCTIONS):
            yield node


def flags(tree):
    """The compiler flags of what a file imports from __future__."""
    found = 0
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__" and not node.level:
            for alias in node.names:
                found |= getattr(getattr(__future__, alias.name, None), "compiler_flag", 0)
    return found


# How many wrappers of a test are looked through.
WRAPPERS = 100


def wrapped(function):
    """The function that wrappers are around; Hypothesis keeps it elsewhere."""
    for _ in range(WRAPPERS):
        inner = getattr(function, "__wrapped__", None)
        if inner is None:
            inner = getattr(getattr(function, "hypothesis", None), "inner_test", None)
        if inner is None:
            break
        function = inner
    return function


def code_of_test(item):
    """The code of a test's function without what wraps it; None where there is
    none."""
    holder = getattr(item, "cls", None) or getattr(item, "module", None)
    return code_of(wrapped(getattr(holder, getattr(item, "originalname", None) or item.name, None)))


def mark(made, item):
    """Gives a copy the marks that its test got after it was made, as plugins give
    them. A copy that is expected to fail would prove nothing."""
    has = set(m.name for m in getattr(made, "own_markers", []))
    for one in getattr(item, "own_markers", []):
        if one.name not in has and one.name != "xfail":
            made.own_markers.append(one)
            made.keywords[one.name] = one


def tail(node, is_case):
    """The statements to add to a function."""
    wrong = []
    if is_case and node.args.args:
        me = getattr(node.args.args[0], "arg", None) or node.args.args[0].id
        used = set(n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute))
        wrong = ["lambda: " + WRONG[name].format(me) for name in sorted(used & set(WRONG))]
    return ast.parse(textwrap.dedent(TAIL).format(wrong=", ".join(wrong), count=len(wrong))).body


def placed(statements, line):
    """Gives statements a line: of a line outside of the function older versions
    of pytest cannot show the source, and end."""
    for statement in statements:
        for node in ast.walk(statement):
            if hasattr(node, "lineno"):
                node.lineno, node.col_offset = line, 0
            if hasattr(node, "end_lineno"):
                node.end_lineno, node.end_col_offset = line, 0
    return statements


# A test that takes longer, in seconds, does not run again.
LONGEST = 20


class Guard(object):
    """files are paths of test files, copies a list of {"of": id, "name": name}."""

    def __init__(self, files, copies):
        self.start = os.path.realpath(os.getcwd())
        self.copies = copies
        self.texts = dict((os.path.join(self.start, f), read(os.path.join(self.start, f))) for f in files)
        self.names = {}  # of a file to those of its functions' code
        self.seconds = {}  # of tests that ran

    def changed(self, items):
        """Tells whether tests that were collected are others than the files held."""
        if any(read(path) != text for path, text in self.texts.items()):
            return True
        return any(self.strange(item) for item in items)

    def strange(self, item):
        """A test's function must be one of its file, or of another file that is
        there: what wraps it. Assertions may be written in more words there."""
        path = os.path.realpath(str(getattr(item, "fspath", "")))
        code = code_of_test(item)
        if path not in self.texts or code is None:
            return False
        place = os.path.realpath(os.path.join(self.start, code.co_filename))
        if place != path:
            return not os.path.exists(place)
        known = self.known(path).get((code.co_name, code.co_firstlineno))
        return known is not None and not known <= self.words(code) or known is None and self.known(path) != {}

    def known(self, path):
        if path not in self.names:
            try:
                code = compile(self.texts[path], path, "exec", dont_inherit=True)
                self.names[path] = dict(((c.co_name, c.co_firstlineno), self.words(c)) for c in codes(code))
            except Exception:
                self.names[path] = {}
        return self.names[path]

    @staticmethod
    def words(code):
        """All names that the code uses."""
        return set(n for c in codes(code) for n in c.co_names) - {"AssertionError"}

    def took(self, nodeid, seconds):
        nodeid = nodeid.partition("[")[0]
        self.seconds[nodeid] = self.seconds.get(nodeid, 0) + seconds

    def add(self, items, full):
        """Appends the copies that can be made to the tests. full gives a test's
        id."""
        by_id = {}
        for item in items:
            by_id.setdefault(full(item.nodeid).partition("[")[0], item)
        for copy in self.copies:
            item = by_id.get(copy["of"])
            try:
                made = item and self.copied(item, copy["of"], str(copy["name"]))
            except Exception:
                continue
            if made is not None:
                items.append(made)

    def copied(self, item, nodeid, name):
        path = os.path.realpath(str(item.fspath))
        tree = ast.parse(self.texts[path])
        node = find(tree, nodeid.split("::")[1:], getattr(code_of_test(item), "co_firstlineno", None))
        if node is None:
            return None
        cls = getattr(item, "cls", None)
        node.name = name
        before = ast.parse("assert not _assay_long(), 'it takes long'").body
        after = tail(node, cls is not None and issubclass(cls, unittest.TestCase))
        node.body = placed(before, node.body[0].lineno) + node.body + placed(after, node.body[-1].lineno)
        outer = ast.parse("def _assay_make(__class__, _assay_long):\n    return None")
        outer.body[0].body = [node, ast.parse("def f():\n    return " + name).body[0].body[0]]
        ast.fix_missing_locations(outer)
        space = item.module.__dict__
        exec(compile(outer, path, "exec", flags=flags(tree), dont_inherit=True), space)
        function = space.pop("_assay_make")(cls, lambda: self.seconds.get(nodeid, 0) > LONGEST)
        setattr(cls or item.module, name, function)
        case = item.name[len(getattr(item, "originalname", None) or item.name):]
        more = {"originalname": name} if hasattr(item, "originalname") else {}
        make = getattr(type(item), "from_parent", None) or (lambda parent, **given: type(item)(parent=parent, **given))
        made = make(item.parent, name=name + case, callspec=getattr(item, "callspec", None), fixtureinfo=item._fixtureinfo, **more)
        mark(made, item)
        return made
