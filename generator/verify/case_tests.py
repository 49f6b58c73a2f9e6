"""Tests over the cases that two variants share: McNemar's, the stratified one, and the interval from drawn cases."""

import hashlib
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from statistics import NormalDist
from typing import Any, TypeVar

from generator.verify.distributions import student_quantile
from generator.verify.levels import Levels
from generator.verify.recompute import Batch

_MOST_STRATIFIED_RUNS, _MOST_DRAWN_CASES = 5000, 500
"""Beyond them the site leaves these tests out."""
_REPLICATES = 1999
_ALIKE = 1e-12
_Stratum = TypeVar("_Stratum")
_CELLS = dict[tuple[str, int], bool]


def judged_runs(batch: Batch, variant: str) -> list[tuple[int, str, tuple[str, int], bool]]:
    """Place in the order, run id, cell and outcome of every judged run, in recorded order."""
    found = []
    for run in batch.runs:
        judged = run.assertions.get(batch.head["pass_metric"])
        if run.variant == variant and judged is not None and judged.outcome in ("hit", "miss"):
            found.append((run.sequence, run.run_id, (run.case, run.repeat), judged.outcome == "hit"))
    return sorted(found)


def tests_over_cases(
    batch: Batch, number: dict[str, Any], numbers: list[dict[str, Any]], levels: Levels
) -> Iterator[dict[str, Any]]:
    variants = {other["id"]: other["variant"] for other in numbers}
    own, base = ({cell: ok for _, _, cell, ok in judged_runs(batch, variants[side])} for side in number["compares"])
    of_own, of_base = _of_cases(own), _of_cases(base)
    shared = sorted(of_own.keys() & of_base.keys())
    if not shared:
        return
    strata = [(*of_base[case], *of_own[case]) for case in shared]
    both = own.keys() & base.keys()
    lost, gained = (sum(base[cell] is was and own[cell] is not was for cell in both) for was in (True, False))
    nothing = dict.fromkeys(("p", "lost", "gained", "interval", "seed", "replicates"))
    common = nothing | {"cases": len(shared)}
    tail = Fraction(sum(math.comb(lost + gained, x) for x in range(lost, lost + gained + 1)), 2 ** (lost + gained))
    yield common | {"method": "mcnemar", "p": tail, "lost": lost, "gained": gained}
    if sum(stratum[1] + stratum[3] for stratum in strata) <= _MOST_STRATIFIED_RUNS:
        yield common | {"method": "stratified", "p": drop_p(strata)}
    level = 1 - levels.alpha
    is_drawn = 1 < len(shared) <= _MOST_DRAWN_CASES
    ends = _drawn_interval(tuple(strata), number["id"], float(level)) if is_drawn else None
    if ends is not None:
        interval = {"method": "cluster_bootstrap", "level": level, "low": ends[0], "high": ends[1]}
        drawn = {"method": "cluster_bootstrap", "interval": interval, "seed": number["id"], "replicates": _REPLICATES}
        yield common | drawn


def _of_cases(cells: _CELLS) -> dict[str, tuple[int, int]]:
    outcomes: dict[str, list[bool]] = defaultdict(list)
    for (case, _), ok in cells.items():
        outcomes[case].append(ok)
    return {case: (sum(found), len(found)) for case, found in outcomes.items()}


@lru_cache(maxsize=256)
def _drawn_interval(
    strata: tuple[tuple[int, int, int, int], ...], seed: str, level: float
) -> tuple[float, float] | None:
    """Whole cases drawn from the documented stream; widened for few cases by Student's t. None where it makes no
    difference which are drawn."""
    return drawn_ends(strata, _pooled_difference, seed, level)


def _pooled_difference(drawn: Sequence[tuple[int, int, int, int]]) -> Fraction:
    before, before_n, good, n = (sum(column) for column in zip(*drawn, strict=True))
    return Fraction(good, n) - Fraction(before, before_n)


def drawn_ends(
    strata: Sequence[_Stratum],
    difference: Callable[[Sequence[_Stratum]], float | Fraction],
    seed: str,
    level: float,
) -> tuple[float, float] | None:
    """The ends of the interval of a difference of the cases that are drawn."""
    m = len(strata)
    if m < 2:
        return None
    stream = _drawn_words(seed, m)
    differences = sorted(difference([strata[next(stream) % m] for _ in range(m)]) for _ in range(_REPLICATES))
    if differences[-1] - differences[0] < _ALIKE:
        return None
    t = student_quantile((1 - level) / 2, m - 1)
    k = max(1, int((_REPLICATES + 1) * NormalDist().cdf(math.sqrt(m / (m - 1)) * t)))
    return float(differences[k - 1]), float(differences[_REPLICATES - k])


def _drawn_words(seed: str, m: int) -> Iterator[int]:
    """Words of 64 bits of SHA-256 of `seed:i`, without those that would favour some remainders of m."""
    fair = 2**64 - 2**64 % m
    block = 0
    while True:
        digest = hashlib.sha256(f"{seed}:{block}".encode()).digest()
        words = (int.from_bytes(digest[start : start + 8], "big") for start in range(0, 32, 8))
        yield from (word for word in words if word < fair)
        block += 1


def drop_p(strata: list[tuple[int, int, int, int]]) -> Fraction:
    """P(good runs of the variant ≤ those seen), given the good runs of each stratum: Fisher's test for one stratum."""
    ways: dict[int, int] = {0: 1}
    for before, before_n, good, n in strata:
        longer: dict[int, int] = defaultdict(int)
        for x, dealt in _dealings(before + good, before_n, n):
            for sum_so_far, count in ways.items():
                longer[sum_so_far + x] += count * dealt
        ways = longer
    seen = sum(good for _, _, good, _ in strata)
    return Fraction(sum(count for x, count in ways.items() if x <= seen), sum(ways.values()))


def _dealings(total: int, before_n: int, n: int) -> Iterator[tuple[int, int]]:
    """In how many ways x of `total` good runs fall to the variant; each from the one before."""
    lowest, highest = max(0, total - before_n), min(total, n)
    ways = math.comb(n, lowest) * math.comb(before_n, total - lowest)
    for x in range(lowest, highest + 1):
        yield x, ways
        ways = ways * (n - x) * (total - x) // ((x + 1) * (before_n - total + x + 1))
