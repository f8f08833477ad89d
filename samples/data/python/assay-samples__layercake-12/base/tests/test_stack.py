import unittest

from layercake import ConfigError, CycleError, MissingError, ReferenceProblem, Stack

BASE = """
[net]
host = localhost
ports = 80, 443

[web]
url = http://${net.host}/${path}
path = index
debug = no
workers = 0x10
"""


class LayersTest(unittest.TestCase):
    def setUp(self):
        self.stack = Stack().add("base", BASE)

    def test_later_layers_cover_earlier_ones(self):
        self.stack.add("site", "[web]\ndebug = yes\n")
        self.assertEqual(self.stack.get("web", "debug"), "yes")
        self.assertEqual(self.stack.get("web", "path"), "index")

    def test_origin(self):
        self.stack.add("site", "[web]\ndebug = yes\n")
        self.assertEqual(self.stack.layers(), ["base", "site"])
        self.assertEqual(self.stack.origin("web", "debug"), "site")
        self.assertEqual(self.stack.origin("web", "path"), "base")
        with self.assertRaises(MissingError):
            self.stack.origin("web", "nothing")

    def test_names_of_layers_are_unique(self):
        with self.assertRaises(ConfigError):
            self.stack.add("base", "")

    def test_missing_values(self):
        self.assertEqual(self.stack.get("web", "nothing", "x"), "x")
        self.assertIsNone(self.stack.get_int("web", "nothing", None))
        with self.assertRaisesRegex(MissingError, "web.nothing is not set"):
            self.stack.get("web", "nothing")

    def test_types(self):
        self.assertEqual(self.stack.get_int("web", "workers"), 16)
        self.assertIs(self.stack.get_bool("web", "debug"), False)
        self.assertEqual(self.stack.get_list("net", "ports"), ["80", "443"])
        with self.assertRaisesRegex(ConfigError, "net.host is neither"):
            self.stack.get_bool("net", "host")

    def test_as_dict(self):
        self.assertEqual(list(self.stack.as_dict()), ["net", "web"])
        self.assertEqual(self.stack.section("net"), {"host": "localhost", "ports": "80, 443"})


class ReferencesTest(unittest.TestCase):
    def test_within_a_layer(self):
        self.assertEqual(Stack().add("base", BASE).get("web", "url"), "http://localhost/index")

    def test_to_a_lower_layer(self):
        stack = Stack().add("base", BASE).add("site", "[web]\nhealth = ${url}?up\n")
        self.assertEqual(stack.get("web", "health"), "http://localhost/index?up")

    def test_default(self):
        stack = Stack().add("base", "[a]\nx = ${y:-1}\nz = ${b.c:-}\n")
        self.assertEqual(stack.as_dict(), {"a": {"x": "1", "z": ""}})

    def test_escape(self):
        stack = Stack().add("base", "[a]\nx = $${y} costs 5$$\n")
        self.assertEqual(stack.get("a", "x"), "${y} costs 5$")

    def test_unknown(self):
        with self.assertRaisesRegex(ReferenceProblem, "a.x refers to b.y"):
            Stack().add("base", "[a]\nx = ${b.y}\n").get("a", "x")

    def test_circle(self):
        with self.assertRaisesRegex(CycleError, "a.x -> a.y -> a.x"):
            Stack().add("base", "[a]\nx = ${y}\ny = ${x}\n").get("a", "x")
