from datetime import date

import pytest

from tidemark import Agenda, Entry


@pytest.fixture
def agenda():
    agenda = Agenda()
    agenda.add("rent", date(2024, 1, 1), "every month")
    agenda.add("bins", date(2024, 1, 2), "every other week on tue")
    agenda.add("review", date(2024, 4, 1), "every 3 months")
    return agenda


def test_entries_are_in_order(agenda):
    assert agenda.entries(date(2024, 4, 1), date(2024, 4, 14)) == [
        Entry(date(2024, 4, 1), "rent"),
        Entry(date(2024, 4, 1), "review"),
        Entry(date(2024, 4, 9), "bins"),
    ]


def test_upcoming(agenda):
    assert agenda.upcoming(date(2024, 6, 30)) == Entry(date(2024, 7, 1), "rent")
    assert Agenda().upcoming(date(2024, 6, 30)) is None


def test_busy(agenda):
    assert agenda.busy(date(2024, 1, 1), date(2024, 7, 31)) == [date(2024, 4, 1), date(2024, 7, 1)]


def test_names_are_unique(agenda):
    with pytest.raises(KeyError):
        agenda.add("rent", date(2024, 1, 1), "every year")
    agenda.remove("rent")
    agenda.add("rent", date(2024, 1, 1), "every year")
