"""A module of tests in all shapes that pytest and unittest collect."""
from __future__ import annotations
import unittest
from unittest import (
    IsolatedAsyncioTestCase,
)

import pytest

from .support import BaseSuite

CASES = [
    (1, 2),
    (3, 4),
]


def helper():
    def test_inner():
        pass
    return test_inner


@pytest.fixture
def test_looking_fixture():
    return 1


def test_plain():
    assert helper()


@pytest.mark.slow
@pytest.mark.parametrize("a, b", CASES)
@pytest.mark.parametrize(
    "c",
    [1, 2],
)
def test_cases(a, b, c):
    assert a < b


async def test_async():
    pass


if True:
    def test_conditional():
        pass
else:
    def test_conditional():
        assert False


try:
    import extra
except ImportError:
    def test_without_extra():
        pass


class TestPlain:
    values = [5, 6]

    def setup_method(self):
        self.x = 1

    def test_one(self): assert self.x

    @pytest.mark.parametrize("v", values)
    def test_two(self, v):
        pass

    class TestNested:
        def test_deep(self):
            pass

    class Helper:
        def test_no(self):
            pass


@pytest.mark.parametrize("k", [
    "a",
])
class TestOfCases:
    def test_k(self, k):
        pass


class TestNeedsArguments:
    def __init__(self, x):
        pass

    def test_never(self):
        pass


class TestOff:
    __test__ = False

    def test_never(self):
        pass


class Mixin:
    def test_mixed(self):
        pass

    def test_overridden(self):
        pass


class Cases(Mixin, unittest.TestCase):
    def test_overridden(self):
        pass

    @property
    def test_property(self):
        return 1

    class TestInsideTestCase:
        def test_never(self):
            pass


class AsyncCases(IsolatedAsyncioTestCase, metaclass=type):
    async def test_awaited(self):
        pass


class FromElsewhere(BaseSuite):
    def test_never(self):
        pass


class Generated(TestBaseElsewhere[int]):
    def testCamel(self):
        pass

    @parameterized.expand([
        (1,),
    ])
    def test_expanded(self, x):
        pass


class NotATest:
    def test_never(self):
        pass
