import hashlib
from math import sqrt
from statistics import NormalDist

import pytest
from scipy.stats import t

from generator.stats.bootstrap import cluster_bootstrap
from generator.stats.paired import CaseCounts

CASES = [CaseCounts(5, 5, 3, 5), CaseCounts(4, 5, 4, 5), CaseCounts(2, 4, 0, 5), CaseCounts(5, 5, 5, 5)]


MANY = [CaseCounts(9 - i % 4, 9, 8 - i % 5, 8 + i % 3) for i in range(12)]


def repeated(cases: list[CaseCounts], seed: str, replicates: int, level: float) -> tuple[float, float]:
    """The interval once more, from the documentation alone; of these few words none lies above the last multiple."""
    words = [
        int.from_bytes(hashlib.sha256(f"{seed}:{block}".encode()).digest()[start : start + 8], "big")
        for block in range(replicates * len(cases))
        for start in (0, 8, 16, 24)
    ]
    m = len(cases)
    found = []
    for replicate in range(replicates):
        drawn = [cases[word % m] for word in words[replicate * m : (replicate + 1) * m]]
        current = sum(case.hits for case in drawn) / sum(case.n for case in drawn)
        found.append(current - sum(case.baseline_hits for case in drawn) / sum(case.baseline_n for case in drawn))
    found.sort()
    share = NormalDist().cdf(sqrt(m / (m - 1)) * t.ppf((1 - level) / 2, m - 1))
    k = max(1, int((replicates + 1) * share))
    return found[k - 1], found[replicates - k]


@pytest.mark.parametrize(("cases", "level"), [(CASES, 0.95), (MANY, 0.95), (MANY, 0.6), (CASES[:2], 0.5)])
def test_anyone_can_repeat_it(cases: list[CaseCounts], level: float) -> None:
    seed = "ctx:recent-n-vs-full:task_pass_rate"
    interval = cluster_bootstrap(cases, seed, 499, level)
    assert interval is not None
    assert (interval.low, interval.high) == repeated(cases, seed, 499, level)
    assert (interval.cases, interval.replicates) == (len(cases), 499)


def test_the_seed_is_all_the_chance_there_is() -> None:
    assert cluster_bootstrap(CASES, "a") == cluster_bootstrap(CASES, "a", 1999)
    assert cluster_bootstrap(CASES, "a", 99) != cluster_bootstrap(CASES, "b", 99)


def test_it_holds_the_difference_and_widens_with_the_level() -> None:
    # Pooled: 12/20 − 16/19.
    narrow, wide = cluster_bootstrap(CASES, "a", level=0.8), cluster_bootstrap(CASES, "a", level=0.95)
    assert narrow is not None
    assert wide is not None
    assert -1 <= wide.low <= narrow.low <= 12 / 20 - 16 / 19 <= narrow.high <= wide.high <= 1


@pytest.mark.parametrize("case", [CaseCounts(4, 5, 2, 5), CaseCounts(2, 2, 2, 2), CaseCounts(3, 9, 2, 3)])
def test_cases_that_agree_say_nothing_of_others(case: CaseCounts) -> None:
    """An interval without width would claim to be certain."""
    assert cluster_bootstrap([case] * 6, "a", 99) is None


def test_one_case_says_nothing_of_others() -> None:
    assert cluster_bootstrap(CASES[:1], "a") is None
    assert cluster_bootstrap([], "a") is None


def test_impossible_input_is_refused() -> None:
    with pytest.raises(ValueError, match="every case needs runs under both variants"):
        cluster_bootstrap([*CASES, CaseCounts(0, 0, 1, 2)], "a")
    with pytest.raises(ValueError, match="replicates must be at least 1, got 0"):
        cluster_bootstrap(CASES, "a", 0)
    with pytest.raises(ValueError, match=r"level must lie in \(0, 1\), got 1"):
        cluster_bootstrap(CASES, "a", level=1)
