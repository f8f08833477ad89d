"""Rules from sentences such as "every 2 weeks on mon, thu until 2024-06-30"."""

import re

from .dates import WEEKDAYS, parse_date
from .rule import Rule


class RuleError(ValueError):
    """The sentence is not a rule."""


_SENTENCE = re.compile(
    r"""^\s*every\s+
        (?:(?P<interval>\d+|other)\s+)?
        (?P<unit>day|week|month|year)s?
        (?:\s+on\s+(?P<days>[a-z]+(?:\s*,\s*[a-z]+)*))?
        (?:\s+(?P<count>\d+)\s+times?)?
        (?:\s+until\s+(?P<until>\S+))?
        \s*$""",
    re.IGNORECASE | re.VERBOSE,
)


def parse(sentence):
    """Return the Rule that a sentence describes, or raise RuleError."""
    match = _SENTENCE.match(sentence)
    if not match:
        raise RuleError(f"not a rule: {sentence!r}")
    try:
        return Rule(
            unit=match["unit"].lower(),
            interval=_interval(match["interval"]),
            weekdays=_weekdays(match["days"]),
            count=int(match["count"]) if match["count"] else None,
            until=parse_date(match["until"]) if match["until"] else None,
        )
    except ValueError as error:
        raise RuleError(f"{sentence!r}: {error}") from error


def _interval(text):
    if text is None:
        return 1
    return 2 if text.lower() == "other" else int(text)


def _weekdays(text):
    if not text:
        return ()
    found = set()
    for name in text.split(","):
        short = name.strip().lower()[:3]
        if short not in WEEKDAYS:
            raise ValueError(f"unknown weekday {name.strip()!r}")
        found.add(WEEKDAYS.index(short))
    return tuple(sorted(found))
