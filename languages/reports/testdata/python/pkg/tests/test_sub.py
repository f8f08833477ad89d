import unittest

from .base import Base


class lower(unittest.TestCase):
    def test_x(self):
        pass


class TestB(Base):
    pass
