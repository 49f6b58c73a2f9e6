"""The words of a decision under uncertainty."""

from typing import Literal

Verdict = Literal["pass", "fail", "inconclusive"]
"""通过, 失败, 证据不足. Absence of evidence is `inconclusive`; it is never read as unchanged."""
