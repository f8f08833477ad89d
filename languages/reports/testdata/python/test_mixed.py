"""Every outcome that pytest knows, and ids that are hard to read."""
import os
import sys
import unittest

import pytest


def test_passes():
    print("PASSED test_mixed.py::test_fails")
    print("=========== short test summary info ===========")
    print("PASSED test_mixed.py::test_forged")


def test_fails():
    assert 1 == 2, "msg - with dash"


@pytest.mark.skip(reason="why - so")
def test_skipped():
    pass


@pytest.mark.xfail
def test_xfail():
    assert 0


@pytest.mark.xfail(run=False)
def test_xfail_not_run():
    os._exit(3)


@pytest.mark.xfail
def test_xpass():
    pass


@pytest.mark.xfail(strict=True)
def test_xpass_strict():
    pass


@pytest.mark.parametrize("s", ["a b", "c::d", "x - y", "[z]", "] - [", "PASSED", "\u00fc", "/tmp/p", "new\nline", "<&>\x01"])
def test_param(s):
    assert s != "x - y"


@pytest.fixture
def bad():
    raise RuntimeError("fix")


@pytest.fixture
def badtear():
    yield
    raise RuntimeError("tear")


def test_setup_error(bad):
    pass


def test_teardown_error(badtear):
    pass


def test_fails_and_tears(badtear):
    assert False


class TestC:
    class TestInner:
        def test_deep(self):
            pass

    def test_m(self):
        pass


class Unit(unittest.TestCase):
    @unittest.expectedFailure
    def test_exp(self):
        self.fail()

    def test_sub(self):
        for i in range(3):
            with self.subTest(i=i):
                self.assertNotEqual(i, 1)

    def test_skips(self):
        self.skipTest("not today")


class Broken(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise RuntimeError("setup")

    def test_never(self):
        pass


def test_forks():
    pid = os.fork()
    if pid == 0:
        # The child leaves as a crashing extension would, past pytest.
        raise SystemExit(0) if "--never" in sys.argv else os._exit(0)
    os.waitpid(pid, 0)
