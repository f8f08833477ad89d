"""Reading the text of one layer."""

import re

from .errors import SyntaxProblem

_SECTION = re.compile(r"^\[\s*([A-Za-z_][\w-]*)\s*\]$")
_VALUE = re.compile(r"^([A-Za-z_][\w-]*)\s*[=:]\s*(.*)$")


def read(text, layer):
    """Return {(section, key): raw value} of a layer's text.

    Lines that begin with blanks go on with the value above them. A comment
    begins with "#" or ";" at the start of a line or after a blank.
    """
    values = {}
    section = last = None
    for number, line in enumerate(text.splitlines(), 1):
        bare = _without_comment(line).strip()
        if not bare:
            continue
        if line[0] in " \t" and last is not None:
            values[last] = f"{values[last]} {bare}".strip()
            continue
        match = _SECTION.match(bare)
        if match:
            section, last = match[1], None
            continue
        match = _VALUE.match(bare)
        if not match:
            raise SyntaxProblem(layer, number, f"neither a section nor a value: {bare!r}")
        if section is None:
            raise SyntaxProblem(layer, number, "a value before the first section")
        last = (section, match[1])
        if last in values:
            raise SyntaxProblem(layer, number, f"{section}.{match[1]} is set twice")
        values[last] = match[2]
    return values


def _without_comment(line):
    if line.lstrip()[:1] in ("#", ";"):
        return ""
    match = re.search(r"\s[#;]", line)
    return line[: match.start()] if match else line
