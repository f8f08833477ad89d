import os


def test_before():
    pass


def test_dies():
    os._exit(0)


def test_after():
    pass
