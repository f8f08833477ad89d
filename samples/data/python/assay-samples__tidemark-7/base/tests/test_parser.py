from datetime import date

import pytest

from tidemark import Rule, RuleError, parse


@pytest.mark.parametrize(
    "sentence, rule",
    [
        ("every day", Rule("day")),
        ("every other week", Rule("week", 2)),
        ("Every 3 months", Rule("month", 3)),
        ("every week on mon, Thursday", Rule("week", 1, (0, 3))),
        ("every year 4 times", Rule("year", count=4)),
        ("every month until 2024-06-30", Rule("month", until=date(2024, 6, 30))),
    ],
)
def test_reads_sentences(sentence, rule):
    assert parse(sentence) == rule


@pytest.mark.parametrize(
    "sentence",
    ["", "now and then", "every 0 days", "every day on mon", "every week on noday", "every day until 2024-02-30"],
)
def test_refuses_what_is_no_rule(sentence):
    with pytest.raises(RuleError):
        parse(sentence)
