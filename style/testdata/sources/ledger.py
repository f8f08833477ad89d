#!/usr/bin/env python3
# pylint: disable=missing-docstring
"""Books and accounts.

A line such as "# pylint: disable=all" in a docstring silences nothing.
"""
import os  # pylint: disable=unused-import
import sys  # noqa: F401

BANNER = '# pylint: skip-file'
PATTERN = r"\s*# pylint:\s*disable=\w+"
TABLE = """
total  # pylint: disable=line-too-long
"""


class Ledger:
    # pylint: disable=too-few-public-methods, invalid-name
    def __init__(self, rows=[]):  # pylint: disable=dangerous-default-value
        self.rows = rows

    def total(self, currency):
        try:
            return f"{sum(r['amount'] for r in self.rows):>{10}} {currency}"  # type: ignore
        except Exception:  # pylint: disable=broad-except; the caller wants none
            return None
        finally:
            pass  # pylint: enable=broad-except

    def label(self):
        name = f'{self.rows[0]["name"]!r} # pylint: disable=all'
        # pylint: disable-next=consider-using-f-string
        return "%s of %s" % (name, os.sep)
