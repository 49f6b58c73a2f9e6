"""Maps functions over partitions of the work."""

from generator.engine.local import LocalEngine

__all__ = ["LocalEngine"]
