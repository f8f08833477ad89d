"""An agenda: named rules, looked at together."""

from dataclasses import dataclass
from datetime import date

from .engine import between, next_after
from .parser import parse
from .rule import Rule


@dataclass(frozen=True, order=True)
class Entry:
    """One date of one of the agenda's rules."""

    day: date
    name: str


class Agenda:
    """A set of named rules, each with its own start."""

    def __init__(self):
        self._rules = {}

    def add(self, name, start, rule):
        """Add a rule, given as a Rule or as a sentence."""
        if name in self._rules:
            raise KeyError(f"{name!r} is in the agenda already")
        if not isinstance(rule, Rule):
            rule = parse(rule)
        self._rules[name] = (rule, start)

    def remove(self, name):
        """Remove a rule."""
        del self._rules[name]

    def entries(self, first, last):
        """Return the entries from first to last, by day and name."""
        found = []
        for name, (rule, start) in self._rules.items():
            found.extend(Entry(day, name) for day in between(rule, start, first, last))
        return sorted(found)

    def upcoming(self, day):
        """Return the next entry after a day, or None."""
        found = []
        for name, (rule, start) in self._rules.items():
            following = next_after(rule, start, day)
            if following is not None:
                found.append(Entry(following, name))
        return min(found, default=None)

    def busy(self, first, last, at_least=2):
        """Return the days from first to last with several entries."""
        count = {}
        for entry in self.entries(first, last):
            count[entry.day] = count.get(entry.day, 0) + 1
        return sorted(day for day, number in count.items() if number >= at_least)
