"""Makes and extends a source."""

from generator.source.imports import write_import
from generator.source.init import init_source

__all__ = ["init_source", "write_import"]
