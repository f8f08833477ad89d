"""The stack of layers, and questions to it."""

from .convert import to_bool, to_int, to_list
from .errors import ConfigError, MissingError
from .interpolate import expand
from .reader import read

_ABSENT = object()


class Stack:
    """Layers from the lowest to the highest; the highest that has a value wins."""

    def __init__(self):
        self._layers = []
        self._merged = {}

    def add(self, layer, text):
        """Put a layer on top of the stack."""
        if any(name == layer for name, _ in self._layers):
            raise ConfigError(f"there is a layer {layer!r} already")
        raw = read(text, layer)

        def lookup(target):
            return raw.get(target, self._merged.get(target))

        values = {where: expand(value, where, lookup) for where, value in raw.items()}
        self._layers.append((layer, values))
        self._merged.update(values)
        return self

    def layers(self):
        """Return the names of the layers, the lowest first."""
        return [name for name, _ in self._layers]

    def origin(self, section, key):
        """Return the name of the layer that a value comes from."""
        for name, values in reversed(self._layers):
            if (section, key) in values:
                return name
        raise MissingError(f"{section}.{key}")

    def get(self, section, key, default=_ABSENT):
        """Return a value; without a default a missing one is a MissingError."""
        value = self._merged.get((section, key))
        if value is not None:
            return value
        if default is _ABSENT:
            raise MissingError(f"{section}.{key}")
        return default

    def get_int(self, section, key, default=_ABSENT):
        """Return a value as a whole number."""
        return self._converted(to_int, section, key, default)

    def get_bool(self, section, key, default=_ABSENT):
        """Return a value as a truth value."""
        return self._converted(to_bool, section, key, default)

    def get_list(self, section, key, default=_ABSENT):
        """Return a value as the list of its comma-separated parts."""
        return self._converted(to_list, section, key, default)

    def section(self, section):
        """Return the values of a section, by key."""
        return {key: value for (name, key), value in sorted(self._merged.items()) if name == section}

    def as_dict(self):
        """Return all values as {section: {key: value}}."""
        return {name: self.section(name) for name in sorted({name for name, _ in self._merged})}

    def _converted(self, convert, section, key, default):
        value = self.get(section, key, None)
        if value is None:
            return self.get(section, key, default)
        return convert(value, f"{section}.{key}")
