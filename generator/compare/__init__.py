"""Two built sites: which published numbers changed, and why."""

from generator.compare.report import as_json, as_text
from generator.compare.sites import Comparison, compare_sites

__all__ = ["Comparison", "as_json", "as_text", "compare_sites"]
