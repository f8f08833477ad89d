"""Arithmetic on dates that the standard library leaves to its users."""

from datetime import date, timedelta

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def is_leap(year):
    """Tell whether a year of the Gregorian calendar has a 29 February."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def days_in_month(year, month):
    """Return the number of days of a month."""
    if month == 2:
        return 29 if is_leap(year) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def add_months(day, months):
    """Move a date by whole months.

    A day that the target month lacks becomes that month's last day.
    """
    index = day.year * 12 + (day.month - 1) + months
    year, month = divmod(index, 12)
    month += 1
    return date(year, month, min(day.day, days_in_month(year, month)))


def months_between(first, second):
    """Count the months from the month of first to the month of second."""
    return (second.year - first.year) * 12 + (second.month - first.month)


def week_start(day):
    """Return the Monday of the week that holds the day."""
    return day - timedelta(days=day.weekday())


def parse_date(text):
    """Read a date written as YYYY-MM-DD."""
    parts = text.strip().split("-")
    if len(parts) != 3 or not all(part.isdigit() for part in parts):
        raise ValueError(f"not a date: {text!r}")
    year, month, day = (int(part) for part in parts)
    return date(year, month, day)
