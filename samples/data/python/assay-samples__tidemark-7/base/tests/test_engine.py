from datetime import date

import pytest

from tidemark import Rule, between, iterate, next_after


def days(*texts):
    return [date.fromisoformat(text) for text in texts]


def walk(rule, start, number):
    return list(iterate(rule, date.fromisoformat(start), limit=number))


def test_daily():
    assert walk(Rule("day", 10), "2024-02-20", 3) == days("2024-02-20", "2024-03-01", "2024-03-11")


def test_weekly_on_several_days():
    rule = Rule("week", 2, (0, 3))
    assert walk(rule, "2024-01-02", 4) == days("2024-01-04", "2024-01-15", "2024-01-18", "2024-01-29")


@pytest.mark.parametrize(
    "start, interval, last",
    [
        ("2024-01-15", 1, "2024-04-15"),
        ("2023-11-28", 1, "2024-02-28"),
        ("2024-05-30", 2, "2024-11-30"),
        ("2024-03-29", 1, "2024-06-29"),
    ],
)
def test_monthly(start, interval, last):
    assert walk(Rule("month", interval), start, 4)[-1] == date.fromisoformat(last)


def test_month_that_lacks_the_day_gives_its_last():
    assert walk(Rule("month"), "2023-01-31", 2) == days("2023-01-31", "2023-02-28")


def test_yearly():
    assert walk(Rule("year", 2), "2020-07-01", 3) == days("2020-07-01", "2022-07-01", "2024-07-01")


def test_count_and_until():
    assert walk(Rule("day", count=2), "2024-01-01", 5) == days("2024-01-01", "2024-01-02")
    assert walk(Rule("month", until=date(2024, 2, 9)), "2024-01-10", 5) == days("2024-01-10")


@pytest.mark.parametrize(
    "rule, expected",
    [
        (Rule("day", 7), ["2024-06-03", "2024-06-10"]),
        (Rule("week", 1, (2,)), ["2024-06-05", "2024-06-12"]),
        (Rule("month"), ["2024-06-01"]),
        (Rule("year"), []),
    ],
    ids=["days", "weekdays", "months", "years"],
)
def test_between(rule, expected):
    found = between(rule, date(2024, 1, 1), date(2024, 6, 1), date(2024, 6, 14))
    assert found == days(*expected)


def test_next_after():
    assert next_after(Rule("month"), date(2024, 1, 20), date(2024, 3, 20)) == date(2024, 4, 20)
    assert next_after(Rule("day", count=1), date(2024, 1, 20), date(2024, 3, 20)) is None
