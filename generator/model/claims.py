"""The claim ledger: `claims.yaml`."""

from typing import Literal

from generator.model.base import Definition, Text

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
    """A sentence that the report makes, or declines to make. Its texts state figures through `num(id)` alone.

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


class ClaimLedger(Definition, frozen=True, kw_only=True):
    """`claims.yaml`."""

    claims: list[Claim]
    disagreements: list[KeptDisagreement] = []
