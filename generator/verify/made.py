"""What a derivation makes of runs."""

from fractions import Fraction
from typing import Any

from generator.verify.evidence import EvidenceRun

DerivedDetail = dict[str, Any]
Made = tuple[int | float | Fraction | None, list[EvidenceRun], str | None, DerivedDetail]
"""Value, the runs it rests on, why there is none, detail."""


def why(runs: list[EvidenceRun], otherwise: str) -> str:
    return otherwise if runs else "no_valid_runs"
