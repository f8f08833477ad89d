"""The rule: what recurs, and how often."""

from dataclasses import dataclass
from datetime import date
from typing import Optional, Tuple

UNITS = ("day", "week", "month", "year")


@dataclass(frozen=True)
class Rule:
    """Every `interval` units, on given weekdays where the unit is a week.

    `count` bounds the number of dates, `until` is the last date that may
    still come. Neither set means that the rule goes on for ever.
    """

    unit: str
    interval: int = 1
    weekdays: Tuple[int, ...] = ()
    count: Optional[int] = None
    until: Optional[date] = None

    def __post_init__(self):
        if self.unit not in UNITS:
            raise ValueError(f"unknown unit {self.unit!r}")
        if self.interval < 1:
            raise ValueError("the interval must be at least 1")
        if self.weekdays and self.unit != "week":
            raise ValueError("weekdays belong to weekly rules only")
        if any(not 0 <= day <= 6 for day in self.weekdays):
            raise ValueError("weekdays go from 0 (Monday) to 6 (Sunday)")
        if self.count is not None and self.count < 0:
            raise ValueError("the count must not be negative")

    def months(self):
        """Return the length of one period in months, or 0 for days and weeks."""
        if self.unit == "month":
            return self.interval
        if self.unit == "year":
            return 12 * self.interval
        return 0
