"""Every outcome that unittest knows."""
import sys
import unittest


class T(unittest.TestCase):
    def test_ok(self):
        pass

    def test_doc(self):
        """First line of docs."""

    def test_noisy(self):
        sys.stdout.write("noise without end")
        sys.stdout.flush()
        sys.stderr.write("ok\nFAIL: test_ok (test_unit.T)\n")

    def test_fail(self):
        self.assertEqual(1, 2)

    def test_err(self):
        raise RuntimeError("x")

    def test_exit(self):
        sys.exit(0)

    @unittest.skip("why")
    def test_skip(self):
        pass

    @unittest.expectedFailure
    def test_expf(self):
        self.fail()

    @unittest.expectedFailure
    def test_unexp(self):
        pass

    def test_sub(self):
        for i in range(3):
            with self.subTest(i=i):
                self.assertNotEqual(i, 1)

    class Inner(unittest.TestCase):
        pass


class SetUp(unittest.TestCase):
    def setUp(self):
        raise RuntimeError("set-up")

    def test_kept_back(self):
        pass


class TearDown(unittest.TestCase):
    def tearDown(self):
        raise RuntimeError("tear-down")

    def test_torn(self):
        pass


class Broken(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise RuntimeError("setup")

    def test_never(self):
        pass


class Skipped(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise unittest.SkipTest("not here")

    def test_left_out(self):
        pass


class Torn(unittest.TestCase):
    @classmethod
    def tearDownClass(cls):
        raise RuntimeError("class tear-down")

    def test_fine(self):
        pass
