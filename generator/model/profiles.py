"""Box profiles: the limits that runs are held against, factor by factor, and why they are what they are."""

import hashlib
from typing import Literal

import msgspec

from generator.model.base import Definition, Json, Text
from generator.model.canonical import canonical

Method = Literal["l2_norm", "sum", "max"]
RECORDED_COLUMNS = {
    "cost_usd": "cost_not_recorded",
    "duration_ms": "duration_not_recorded",
    "total_tokens": "usage_not_recorded",
    "turns": "trace_not_recorded",
}
"""What a run records of itself and a factor may name, and why a run has none of it. Every other column is the id of a
judged metric: a hit is 1, a miss 0, a measured value itself."""
TIME_COLUMNS = ("duration_ms", "duration_p50", "duration_p95")
"""Those that are times: they have strata, and may be cut off."""


class FactorReasons(Definition, frozen=True, kw_only=True):
    """Why each value is what it is: a limit without a reason is nobody's limit."""

    tau: Text
    k: Text
    weight: Text = msgspec.field(name="lambda")


class Factor(Definition, frozen=True, kw_only=True):
    """A limit. `name` is a part of addresses. `tau` is in the unit of the column: above 0 where lower is better, from 0
    to below 1 where higher is. `k` ≥ 0 is the steepness beyond the limit, `weight` (λ) ≥ 0 the share, relative to the
    other factors."""

    name: str
    title: Text
    column: str
    direction: Literal["lower", "higher"]
    tau: float
    k: float
    weight: float = msgspec.field(name="lambda")
    reasons: FactorReasons


class Profile(Definition, frozen=True, kw_only=True):
    """`profiles/<id>.yaml`."""

    id: str
    version: int
    title: Text
    method: Method = "l2_norm"
    factors: list[Factor]

    @property
    def stamp(self) -> str:
        """`<id>@<version>:` and sixteen hex digits of the SHA-256 of all that decides a score, in RFC 8785 form. Names
        and reasons do not."""
        decides: list[Json] = [
            {
                "name": factor.name,
                "column": factor.column,
                "direction": factor.direction,
                "tau": factor.tau,
                "k": factor.k,
                "lambda": factor.weight,
            }
            for factor in self.factors
        ]
        form = canonical({"method": self.method, "factors": decides})
        return f"{self.id}@{self.version}:{hashlib.sha256(form or b'').hexdigest()[:16]}"
