"""Walking a rule from its start."""

from datetime import timedelta
from itertools import islice

from .dates import add_months, months_between, week_start


def iterate(rule, start, limit=None):
    """Yield the dates of a rule in order, at most `limit` of them."""
    return islice(_bounded(rule, _dates(rule, start)), limit)


def between(rule, start, first, last):
    """Return the dates of a rule from first to last, both included."""
    found = []
    for day in _from(rule, start, first):
        if day > last:
            break
        found.append(day)
    return found


def next_after(rule, start, day):
    """Return the rule's first date later than the day, or None."""
    return next(_from(rule, start, day + timedelta(days=1)), None)


def _from(rule, start, first):
    """Yield the dates from first on, without walking all that come before."""
    if rule.count is not None or rule.weekdays or first <= start:
        dates = _dates(rule, start)
    else:
        dates = _dates(rule, _fast_forward(rule, start, first))
    return (day for day in _bounded(rule, dates) if day >= first)


def _bounded(rule, dates):
    for number, day in enumerate(dates):
        if rule.count is not None and number >= rule.count:
            return
        if rule.until is not None and day > rule.until:
            return
        yield day


def _dates(rule, start):
    if rule.weekdays:
        yield from _weekly(rule, start)
        return
    current = start
    while True:
        yield current
        current = _step(rule, current)


def _step(rule, day):
    months = rule.months()
    if months:
        return add_months(day, months)
    return day + _period(rule)


def _period(rule):
    return timedelta(days=rule.interval * (7 if rule.unit == "week" else 1))


def _weekly(rule, start):
    monday = week_start(start)
    while True:
        for weekday in rule.weekdays:
            day = monday + timedelta(days=weekday)
            if day >= start:
                yield day
        monday += timedelta(weeks=rule.interval)


def _fast_forward(rule, start, first):
    """Return a date of the rule that is near to first, but not later."""
    months = rule.months()
    if months:
        # One period less, since the day of the month may come after first's.
        periods = max(0, months_between(start, first) // months - 1)
        return add_months(start, periods * months)
    return start + ((first - start) // _period(rule)) * _period(rule)
