"""Copies of tests that must fail, for pytest under assay.

Code under test can reach into the test that calls it, and have the runner forget
its failures: a test that calls no such code notices nothing. So some of the
tests that decide run once more at the end, under names that were chosen for
them, with assertions below that must fail. One that passes shows that its
test would have passed anyway.

A value that is equal to everything passes every test. So the same tests run in
a second copy, in which each assertion that compares something with a constant
compares it with another one: none of these may hold.

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


# What stands below a copy with other values: it fails where none of them held.
VALUES = """
assert _assay_held, "a copy that must fail"
"""

# Assertions that two values are equal.
EQUAL = set(
    "assertEqual assertEquals assertListEqual assertTupleEqual assertDictEqual assertSetEqual assertSequenceEqual "
    "assertMultiLineEqual assertCountEqual assertItemsEqual assertAlmostEqual assert_equal assert_array_equal "
    "assert_allclose assert_almost_equal assert_array_almost_equal eq_".split()
)


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


def printed(code):
    """What code does: its bytes, names and constants."""
    consts = [printed(c) if isinstance(c, types.CodeType) else (type(c), sorted(map(repr, c)) if isinstance(c, frozenset) else repr(c)) for c in code.co_consts]
    return code.co_code, code.co_names, code.co_varnames, consts


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


def constant(node):
    """Tells whether an expression is written as a value, other than None, True
    and False."""
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return all(constant(e) or named(e) for e in node.elts)
    if isinstance(node, ast.Dict):
        return all(k is not None and (constant(k) or named(k)) for k in node.keys) and all(constant(v) or named(v) for v in node.values)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and constant(node.operand)
    try:
        return isinstance(ast.literal_eval(node), (int, float, complex, bytes, type(u""))) and not named(node)
    except Exception:
        return False


def named(node):
    """Tells whether an expression is None, True or False."""
    try:
        return isinstance(ast.literal_eval(node), (bool, type(None)))
    except Exception:
        return False


def other(node, word):
    """Another value than a constant's, of the same type."""
    source = {
        ast.List: lambda: ast.List([ast.parse(repr(word)).body[0].value] + node.elts, node.ctx),
        ast.Tuple: lambda: ast.Tuple([ast.parse(repr(word)).body[0].value] + node.elts, node.ctx),
        ast.Set: lambda: ast.Set([ast.parse(repr(word)).body[0].value] + node.elts),
        ast.Dict: lambda: ast.Dict([ast.parse(repr(word)).body[0].value] + node.keys, [ast.parse("0").body[0].value] + node.values),
    }.get(type(node))
    if source:
        return source()
    value = ast.literal_eval(node)
    if isinstance(value, bytes):
        value = value + word.encode("ascii")
    elif isinstance(value, type(u"")):
        value = value + word
    else:
        value = value * 3 + 7919
    return ast.parse(repr(value)).body[0].value


class Other(ast.NodeTransformer):
    """Gives the assertions of a test other values, and notes those that hold
    all the same."""

    def __init__(self, word):
        self.word, self.count = word, 0

    def visit_FunctionDef(self, node):
        return node

    visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = visit_FunctionDef

    def visit_Assert(self, node):
        test = node.test
        if not isinstance(test, ast.Compare) or len(test.ops) != 1:
            return node
        left, right = test.left, test.comparators[0]
        if isinstance(test.ops[0], ast.Eq) and constant(left) != constant(right):
            if constant(left):
                test.left = other(left, self.word)
            else:
                test.comparators[0] = other(right, self.word)
            return self.tried(node)
        return node

    def visit_Expr(self, node):
        call = node.value
        name = isinstance(call, ast.Call) and (getattr(call.func, "attr", None) or getattr(call.func, "id", None))
        if name in EQUAL and len(call.args) > 1 and constant(call.args[0]) != constant(call.args[1]):
            at = 0 if constant(call.args[0]) else 1
            call.args[at] = other(call.args[at], self.word)
            return self.tried(node)
        if name == "assertIn" and len(call.args) > 1 and constant(call.args[0]) and not constant(call.args[1]):
            call.args[0] = other(call.args[0], self.word)
            return self.tried(node)
        return node

    def tried(self, node):
        self.count += 1
        made = ast.parse("try:\n    pass\nexcept Exception:\n    pass\nelse:\n    _assay_held.append(1)").body[0]
        made.body = [node]
        return made


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
        self.config, self.place = None, str  # pytest's, and what it makes of paths
        self.names = {}  # of a file to what its functions' code may be, by name and line
        self.loose = set()  # files whose functions are compared by their names alone
        self.seconds = {}  # of tests that ran

    def changed(self, items):
        """Tells whether tests that were collected are others than the files held."""
        if items:
            self.config = getattr(items[0], "config", None)
            self.place = type(getattr(items[0], "fspath", ""))
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
        if known is None:
            return self.known(path) != {}
        if path in self.loose:
            return not any(names <= self.words(code) for _, names in known)
        return not any(printed(code) == text for text, _ in known)

    def known(self, path):
        if path not in self.names:
            try:
                self.names[path] = {}
                self.compiled(path, ast.parse(self.texts[path]))
            except Exception:
                self.names[path] = {}
                return {}
            try:
                self.compiled(path, self.rewritten(path))
            except Exception:
                self.loose.add(path)
        return self.names[path]

    def compiled(self, path, tree):
        for c in codes(compile(tree, path, "exec", dont_inherit=True)):
            self.names[path].setdefault((c.co_name, c.co_firstlineno), []).append((printed(c), self.words(c)))

    @staticmethod
    def words(code):
        """All names that the code uses."""
        return set(n for c in codes(code) for n in c.co_names) - {"AssertionError"}

    def rewritten(self, path):
        """The file as pytest reads it, which writes its assertions in more words."""
        from _pytest.assertion import rewrite

        tree = ast.parse(self.texts[path])
        if rewrite.rewrite_asserts.__code__.co_argcount > 3:
            rewrite.rewrite_asserts(tree, self.texts[path], path, self.config)
        else:  # before pytest 5.2
            rewrite.rewrite_asserts(tree, self.place(path), self.config)
        return tree

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
            try:
                made = item and copy.get("values") and self.copied(item, copy["of"], str(copy["values"]), True)
            except Exception:
                continue
            if made:
                items.append(made)

    def copied(self, item, nodeid, name, values=False):
        """A test of another name, whose code has the name of its test's."""
        path = os.path.realpath(str(item.fspath))
        tree = ast.parse(self.texts[path])
        node = find(tree, nodeid.split("::")[1:], getattr(code_of_test(item), "co_firstlineno", None))
        if node is None:
            return None
        cls = getattr(item, "cls", None)
        before = ast.parse("assert not _assay_long(), 'it takes long'").body
        first, last = node.body[0].lineno, node.body[-1].lineno
        if values:
            changes = Other(name)
            node.body = [changes.visit(statement) for statement in node.body]
            if not changes.count:
                return None
            before, after = before + ast.parse("_assay_held = []").body, ast.parse(textwrap.dedent(VALUES)).body
        else:
            after = tail(node, cls is not None and issubclass(cls, unittest.TestCase))
        node.body = placed(before, first) + node.body + placed(after, last)
        outer = ast.parse("def _assay_make(__class__, _assay_long):\n    return None")
        outer.body[0].body = [node, ast.parse("def f():\n    return " + node.name).body[0].body[0]]
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
