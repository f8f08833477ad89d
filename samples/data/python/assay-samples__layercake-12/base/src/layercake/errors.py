"""What can be wrong with settings."""


class ConfigError(Exception):
    """The base of all errors of this package."""


class SyntaxProblem(ConfigError):
    """A layer's text cannot be read."""

    def __init__(self, layer, line, message):
        super().__init__(f"{layer}:{line}: {message}")
        self.layer = layer
        self.line = line


class MissingError(ConfigError):
    """A setting is in no layer."""

    def __init__(self, name):
        super().__init__(f"{name} is not set")
        self.name = name


class ReferenceProblem(ConfigError):
    """A value refers to a setting that is in no layer."""

    def __init__(self, name, wanted):
        super().__init__(f"{name} refers to {wanted}, which is not set")
        self.name = name
        self.wanted = wanted


class CycleError(ConfigError):
    """Values refer to each other in a circle."""

    def __init__(self, chain):
        super().__init__(" -> ".join(chain))
        self.chain = tuple(chain)
