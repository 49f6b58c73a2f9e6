"""Recomputes a built site from its own evidence. Reads nothing but the site; uses the standard library alone."""

from generator.verify.check import NoSite, verify_site
from generator.verify.result import Disagreement, VerifyResult

__all__ = ["Disagreement", "NoSite", "VerifyResult", "verify_site"]
