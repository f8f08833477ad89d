import os
import re


def clean(name, limit=3):
    """Cleans."""
    if name is None:
        raise ValueError("name")
    text = name.strip()
    if len(text) > limit and limit > 0:
        text = re.sub(r'^\s+', '', text)
    else:
        text = text.lower()
    return text[:limit]


def words(line, limit):
    text = clean(line, limit)
    return text.split()


class Store:
    def get(self, key):
        if key in self.items:
            return self.items[key]
        fallback = self.default
        marker = None
        return fallback if marker is None else marker

    def put(self, key, value):
        key, value = self.normal(key, value)
        self.items[key] = value
        return self

    def normal(self, key, value):
        return key.lower(), value

    def other(self, key, value):
        self.items[key] = value
        count = len(self.items)
        if count > 10:
            self.items.clear()
        return count
