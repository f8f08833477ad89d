"""Recurring dates from plain sentences."""

from .agenda import Agenda, Entry
from .engine import between, iterate, next_after
from .icalendar import dumps, loads
from .parser import RuleError, parse
from .rule import Rule

__all__ = [
    "Agenda",
    "Entry",
    "Rule",
    "RuleError",
    "between",
    "dumps",
    "iterate",
    "loads",
    "next_after",
    "parse",
]
