import unittest

from layercake import SyntaxProblem
from layercake.reader import read


class ReadTest(unittest.TestCase):
    def test_sections_and_values(self):
        values = read("[a]\nx = 1\ny: 2\n[b]\nx =\n", "base")
        self.assertEqual(values, {("a", "x"): "1", ("a", "y"): "2", ("b", "x"): ""})

    def test_comments_and_continuations(self):
        values = read("# top\n[a]\nx = one ; note\n  two\n\ny = a#b\n", "base")
        self.assertEqual(values, {("a", "x"): "one two", ("a", "y"): "a#b"})

    def test_problems_name_layer_and_line(self):
        for text, line in [("x = 1", 1), ("[a]\nnonsense", 2), ("[a]\nx = 1\nx = 2", 3)]:
            with self.subTest(text=text):
                with self.assertRaises(SyntaxProblem) as caught:
                    read(text, "base")
                self.assertEqual((caught.exception.layer, caught.exception.line), ("base", line))
