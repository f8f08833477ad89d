"""From text to values of other types."""

from .errors import ConfigError

_TRUE = ("1", "on", "true", "yes")
_FALSE = ("0", "off", "false", "no")


def to_int(text, name):
    """Read a whole number; underscores between digits and 0x are allowed."""
    try:
        return int(text, 0)
    except ValueError:
        raise ConfigError(f"{name} is not a whole number: {text!r}") from None


def to_bool(text, name):
    """Read a truth value."""
    word = text.strip().lower()
    if word in _TRUE:
        return True
    if word in _FALSE:
        return False
    raise ConfigError(f"{name} is neither true nor false: {text!r}")


def to_list(text, name):
    """Read comma-separated parts; empty ones are dropped."""
    return [part.strip() for part in text.split(",") if part.strip()]
