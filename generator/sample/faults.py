"""Faults of the world around the agent: they make a run invalid, cancelled or skipped, and are no one's failure."""

from dataclasses import dataclass
from typing import Literal

from generator.sample.draws import Draws, unit

WINDOW = 24
"""Runs in a row that share the weather of the model service."""
WAIT_LIMIT_MS = 600_000
"""The clock of an approval wait stops here."""


@dataclass(frozen=True)
class Fault:
    """How a run was broken off, and before which model call (0: before it began)."""

    state: Literal["INVALID", "CANCELLED"]
    reason: str
    before_turn: int


@dataclass(frozen=True)
class Weather:
    """What befalls a batch.

    `cancel_from` and `cancel_count`: the runs in flight when an operator stopped the queue; `broken_builder`: extra
    probability that the context builder fails where the strategy computes something.
    """

    cancel_from: int | None = None
    cancel_count: int = 0
    broken_builder: float = 0.0
    balance_ends_at: int | None = None


def fault_of(draws: Draws, sequence: int, weather: Weather, strategy: str) -> Fault | None:
    """The fault that befalls a run, if any."""
    turn = 1 + int(draws.physical("fault turn") * 3)
    if weather.cancel_from is not None and 0 <= sequence - weather.cancel_from < weather.cancel_count:
        return Fault("CANCELLED", "manual_cancel", turn)
    if weather.balance_ends_at is not None and 0 <= sequence - weather.balance_ends_at < 4:
        return Fault("INVALID", "insufficient_balance", 1)
    if draws.physical("limited") < _rate_limit(draws.batch, sequence):
        return Fault("INVALID", "rate_limited", turn)
    if draws.physical("gone") < 0.006:
        return Fault("INVALID", "model_unavailable", turn)
    computed = strategy in ("single-summary", "budgeted")
    if draws.physical("builder") < 0.003 + (weather.broken_builder if computed else 0.0):
        return Fault("INVALID", "context_build_failed", 0)
    if draws.physical("artifact") < 0.004:
        return Fault("INVALID", "artifact_write_failed", 99)
    return None


def _rate_limit(batch: str, sequence: int) -> float:
    """Rate limits come in bad spells; interleaving spreads a spell over all variants."""
    return 0.16 if unit(batch, "spell", sequence // WINDOW) < 0.13 else 0.004


def approval_wait_ms(draws: Draws, purpose: str) -> int:
    """How long a person takes to confirm: mostly half a minute, sometimes a meeting."""
    draw = draws.physical(f"approval:{purpose}")
    return round(9_000 + 55_000 * draw + (540_000 * (draw - 0.9) * 10 if draw > 0.9 else 0))
