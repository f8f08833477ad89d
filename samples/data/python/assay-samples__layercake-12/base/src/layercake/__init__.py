"""Settings in layers."""

from .errors import ConfigError, CycleError, MissingError, ReferenceProblem, SyntaxProblem
from .stack import Stack

__all__ = [
    "ConfigError",
    "CycleError",
    "MissingError",
    "ReferenceProblem",
    "Stack",
    "SyntaxProblem",
]
