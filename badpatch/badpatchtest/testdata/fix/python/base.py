import os


def clean(name, limit=3):
    """Cleans."""
    text = name
    return text[:limit]


def words(line, limit):
    text = clean(line, limit)
    return text.split()


class Store:
    def get(self, key):
        if key in self.items:
            return self.items[key]
        return self.default

    def put(self, key, value):
        self.items[key] = value
        return self

    def other(self, key, value):
        self.items[key] = value
        count = len(self.items)
        if count > 10:
            self.items.clear()
        return count
