"""The claim ledger: `claims.yaml`."""

from collections import defaultdict
from typing import Literal

from generator.model.base import Definition, Text
from generator.model.bound_text import numbers_of_text

CLAIMS_FILE = "claims.yaml"

ClaimStatus = Literal["VERIFIED", "SUPPORTED", "PRELIMINARY", "HYPOTHESIS", "NOT_ESTABLISHED", "REJECTED"]
STATUSES: tuple[ClaimStatus, ...] = (
    *("VERIFIED", "SUPPORTED", "PRELIMINARY"),
    *("HYPOTHESIS", "NOT_ESTABLISHED", "REJECTED"),
)
"""In the order of the page."""
ESTABLISHED: tuple[ClaimStatus, ...] = ("VERIFIED", "SUPPORTED")
"""What the ledger stands for: a claim of improvement needs its verdict here."""


class Claim(Definition, frozen=True, kw_only=True):
    """A sentence that the report makes, or declines to make. Its texts state figures through `num(id)`
    and thresholds through `ref(<setting>)` alone.

    `numbers` are further numbers that it rests on. `improvement` is the difference that says that something became
    better, where the claim does.
    """

    id: str
    text: Text
    status: ClaimStatus
    does_not_show: Text
    evidence: list[str] = []
    numbers: list[str] = []
    improvement: str | None = None


class KeptDisagreement(Definition, frozen=True, kw_only=True):
    """Two figures of the sources that seem to contradict each other, and why both are kept."""

    id: str
    text: Text
    why: Text
    evidence: list[str] = []


def bound_by(claim: Claim) -> list[str]:
    """Every number that a claim binds, each once, those of its texts first."""
    improvement = [] if claim.improvement is None else [claim.improvement]
    texts = [*numbers_of_text(claim.text), *numbers_of_text(claim.does_not_show)]
    return list(dict.fromkeys([*texts, *claim.numbers, *improvement]))


class ClaimLedger(Definition, frozen=True, kw_only=True):
    """`claims.yaml`."""

    claims: list[Claim]
    disagreements: list[KeptDisagreement] = []

    def by_number(self) -> dict[str, list[Claim]]:
        """The claims that bind each number, in the order of the ledger."""
        found: dict[str, list[Claim]] = defaultdict(list)
        for claim in self.claims:
            for number in bound_by(claim):
                found[number].append(claim)
        return dict(found)
