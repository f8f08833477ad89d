"""References between values: ${key}, ${section.key}, ${key:-default}."""

import re

from .errors import CycleError, ReferenceProblem

_TOKEN = re.compile(
    r"""\$\$                                  # an escaped dollar sign
      | \$\{\s*(?P<name>[\w.-]+?)\s*(?::-(?P<default>[^}]*))?\}
    """,
    re.VERBOSE,
)


def expand(value, where, lookup, chain=()):
    """Replace the references in a raw value.

    `where` is the (section, key) of the value; names without a section mean
    its section. `lookup` gives the raw value of a (section, key), or None.
    """
    if where in chain:
        raise CycleError(_dotted(*link) for link in (*chain, where))
    chain = (*chain, where)

    def replace(token):
        if token[0] == "$$":
            return "$"
        target = _target(token["name"], where[0])
        raw = lookup(target)
        if raw is not None:
            return expand(raw, target, lookup, chain)
        if token["default"] is not None:
            return token["default"]
        raise ReferenceProblem(_dotted(*where), _dotted(*target))

    return _TOKEN.sub(replace, value)


def _target(name, section):
    if "." in name:
        other, key = name.split(".", 1)
        return (other, key)
    return (section, name)


def _dotted(section, key):
    return f"{section}.{key}"
