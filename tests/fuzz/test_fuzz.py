"""Mutated sources are refused with findings, or pass: no traceback, no more than 10 s or 1 GB each.

`RUNCITE_SOAK=1` tries ten thousand, of a new seed each time; `RUNCITE_FUZZ_SEED` repeats one.
"""

import os
import secrets
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.errors import Finding, Place, Refused
from generator.model.rules import finding
from tests.conftest import FIGURES
from tests.fuzz import trial
from tests.fuzz.campaign import ROOT, Campaign, Figures
from tests.fuzz.mutants import SECRET, make_mutant, unchanged
from tests.fuzz.trial import MAX_SECONDS, WHOLE_SECONDS, Outcome, try_mutant

SOAK = os.environ.get("RUNCITE_SOAK") == "1"
FIXED_SEED = 20261120


def campaign() -> Campaign:
    if not SOAK:
        return Campaign(FIXED_SEED, count=150, whole=100)
    seed = int(os.environ.get("RUNCITE_FUZZ_SEED") or secrets.randbelow(10**9))
    return Campaign(seed, count=10_000, whole=80, jobs=int(os.environ.get("RUNCITE_SOAK_JOBS", "2")))


@pytest.fixture(scope="module")
def figures() -> Figures:
    return campaign().run()


def test_no_mutant_breaks_the_program(figures: Figures, record_property: Callable[[str, object], None]) -> None:
    record_property(FIGURES, str(figures))
    assert len(figures.outcomes) == figures.campaign.count, "a process died: the mutant after the last outcome"
    assert figures.broken == [], str(figures)


def test_no_mutant_is_slow_or_large(figures: Figures) -> None:
    assert all(outcome.seconds <= (WHOLE_SECONDS if outcome.whole else MAX_SECONDS) for outcome in figures.outcomes)
    assert max(outcome.megabytes for outcome in figures.outcomes) <= 1024


def test_mutants_get_past_reading(figures: Figures) -> None:
    """Mutants that are all refused at the door would prove nothing of what lies behind it."""
    assert figures.judged >= 0.3
    assert figures.reached >= 0.2
    ends = {end: figures.share(sum(it.end == end for it in figures.outcomes)) for end in ("passed", "refused")}
    assert ends["passed"] >= 0.1
    assert ends["refused"] >= 0.4
    assert len(figures.codes) >= 25


def test_a_mutant_can_be_made_again() -> None:
    for number in range(30):
        one, other = make_mutant(FIXED_SEED, number), make_mutant(FIXED_SEED, number)
        assert (one.files, one.changes) == (other.files, other.changes)
    assert len({str(make_mutant(FIXED_SEED, number).changes) for number in range(30)}) == 30
    assert make_mutant(FIXED_SEED + 1, 0).changes != make_mutant(FIXED_SEED, 0).changes


def _tried(monkeypatch: pytest.MonkeyPatch, folder: Path, check: Callable[[Path, bool], None] | None) -> Outcome:
    """The outcome of the unchanged source, where `check` is the program."""
    monkeypatch.setattr(trial, "make_mutant", lambda seed, number: unchanged())
    if check is not None:
        monkeypatch.setattr(trial, "_check", check)
    return try_mutant(0, 0, folder / "mutant")


def test_the_source_without_a_change_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = _tried(monkeypatch, tmp_path, None)
    assert (outcome.end, outcome.error, outcome.judged, outcome.codes) == ("passed", "", 23, [])


def _raises(folder: Path, whole: bool) -> None:
    raise KeyError("x")


def _is_slow(folder: Path, whole: bool) -> None:
    while True:
        pass


def _quotes(folder: Path, whole: bool) -> None:
    raise Refused([finding("RC001", Place("a"), "a file", f"`{SECRET}`", "none")])


def _is_endless(folder: Path, whole: bool) -> None:
    raise Refused([Finding("RC001", "x", Place("a"), "y" * 6000, "z", "none")])


def _is_unprintable(folder: Path, whole: bool) -> None:
    raise Refused([Finding("RC001", "x", Place("a", field="\x1b[2J"), "y", "z", "none")])


def _finds_nothing(folder: Path, whole: bool) -> None:
    raise Refused([])


@pytest.mark.parametrize(
    ("check", "says"),
    [
        (_raises, "KeyError: 'x'"),
        (_is_slow, "TooSlow"),
        (_quotes, "private"),
        (_is_endless, "characters"),
        (_is_unprintable, "unprintable"),
        (_finds_nothing, "AssertionError"),
    ],
)
def test_what_would_be_a_break_is_seen(
    check: Callable[[Path, bool], None], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "MAX_SECONDS", 0.2)
    outcome = _tried(monkeypatch, tmp_path, check)
    assert outcome.end == "broken"
    assert says in outcome.error


def test_memory_is_limited() -> None:
    script = "from tests.fuzz.trial import limit_memory; limit_memory(); bytearray(1024**3)"
    ran = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.stderr.strip().endswith("MemoryError")
