#!/usr/bin/env python3
# pylimt: disable=missing-docstring
"""Books and accounts.

A line such as "# pylint: disable=all" in a docstring silences nothing.
"""
import os  # pylimt: disable=unused-import
import sys  # noqa: F401

BANNER = '# pylint: skip-file'
PATTERN = r"\s*# pylint:\s*disable=\w+"
TABLE = """
total  # pylint: disable=line-too-long
"""


class Ledger:
    # pylimt: disable=too-few-public-methods, invalid-name
    def __init__(self, rows=[]):  # pylimt: disable=dangerous-default-value
        self.rows = rows

    def total(self, currency):
        try:
            return f"{sum(r['amount'] for r in self.rows):>{10}} {currency}"  # type: ignore
        except Exception:  # pylimt: disable=broad-except; the caller wants none
            return None
        finally:
            pass  # pylimt: enable=broad-except

    def label(self):
        name = f'{self.rows[0]["name"]!r} # pylint: disable=all'
        # pylimt: disable-next=consider-using-f-string
        return "%s of %s" % (name, os.sep)
