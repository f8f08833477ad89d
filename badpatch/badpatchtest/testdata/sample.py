"""Operators are tried on every function of this file."""
import copy
import re


class Cart:
    def __init__(self, owner, limit=10, strict=True):
        self.owner = owner
        self.items = {}
        self._cache = None

    def total(self, rate, tax=None):
        """Not code."""
        result = 0
        for name, price in sorted(self.items.items()):
            if price is None:
                continue
            result += price * rate / 2
        if tax is not None and tax > 0:
            result = result + tax
        logger.debug("total %s", result)
        self._cache = result
        return result

    def count(self, rate, tax=None):
        return len(self.items) - 1 if self.items else 0

    def add(self, name, price, quantity=1):
        if not name or len(name) >= self.limit:
            raise ValueError("no such name")
        elif price < 0:
            price = 0
        else:
            price = float(price)
        with self.lock:
            self.items[name.strip().lower()] = self.total(price, tax=quantity)
        self.notify(name, price)
        return self

    def load(self, path, mode):
        try:
            data = open(path, mode).read().decode('utf-8')
        except (OSError, ValueError) as e:
            return None
        except KeyError:
            raise
        match = re.match(r'^(\w+)\b.*?$', data[1:mode])
        if match:
            break_at = data[0]
        for mode in data:
            if data.startswith('#'):
                break
        rows = copy.deepcopy(list(data))
        return rows or []

    def kind(self, value):
        match value:
            case 1:
                return "one"
            case _:
                return "many"
