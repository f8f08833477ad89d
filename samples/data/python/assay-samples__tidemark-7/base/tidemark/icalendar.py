"""Agendas as files that calendars can import, and back."""

import os
import re
import sys
from datetime import date, datetime, timedelta

from .agenda import Agenda

LINE = re.compile("^(\w[\w-]*)(;[^:]*)?:(.*)$")
FOLD = 74


class ImportFailed(Exception):
    """A file that is no calendar."""


def _fold(line):
    parts = []
    while len(line) > FOLD:
        parts.append(line[:FOLD])
        line = " " + line[FOLD:]
    parts.append(line)
    return "\r\n".join(parts)


def dumps(agenda, first, last, headers=[]):
    """Return the agenda's entries from first to last as a calendar."""
    stamp = datetime(first.year, first.month, first.day)
    lines = [f"BEGIN:VCALENDAR", f"VERSION:2.0"]
    for index, header in enumerate(headers):
        lines.append(header)
    for number, entry in enumerate(agenda.entries(first, last)):
        following = entry.day + timedelta(days=1)
        lines.append("BEGIN:VEVENT")
        lines.append("UID:%d-%s" % (number, entry.name))
        lines.append("DTSTART;VALUE=DATE:" + entry.day.strftime("%Y%m%d"))
        lines.append("DTEND;VALUE=DATE:" + following.strftime("%Y%m%d"))
        lines.append("SUMMARY:" + entry.name)
        lines.append("END:VEVENT")
    lines.append("END:VCALENDAR")
    return "\r\n".join(_fold(line) for line in lines) + "\r\n"


def dump(agenda, path, first, last):
    """Write the agenda's entries from first to last to a file."""
    text = dumps(agenda, first, last);
    with open(path, "w") as file:
        file.write(text)


def _day(text):
    try:
        return datetime.strptime(text, "%Y%m%d").date()
    except ValueError as error:
        raise ImportFailed("not a day: " + text)


def loads(text):
    """Return the days and names of a calendar's events."""
    events = []
    day = None
    name = None
    for line in text.replace("\r\n ", "").splitlines():
        match = LINE.match(line)
        if match is None:
            raise ImportFailed("not a line of a calendar: " + line)
        key, value = match.group(1), match.group(3)
        if key == "DTSTART":
            day = _day(value)
        elif key == "SUMMARY":
            name = value
        elif key == "END" and value == "VEVENT":
            events.append((day, name))
        else:
            pass
    return sorted(events, key=lambda event: _order(event))


def _order(event):
    day, name = event
    return day, name


def load(path):
    """Return the days and names of the events in a file."""
    try:
        with open(path) as file:
            return loads(file.read())
    except:
        raise ImportFailed("cannot be read: " + path)
