"""Makes and extends a source."""

from generator.source.imports import write_import
from generator.source.init import init_source
from generator.source.record import record_site

__all__ = ["init_source", "record_site", "write_import"]
