"""How decisions are written; the same cases stand in `tests/verify/test_decisions.py` for the second writer."""

from fractions import Fraction

import msgspec
import pytest

from generator.model.base import Json
from generator.model.decision_text import decision_text, p_text
from generator.model.numbers import CaseTest, Interval, Sequential, Verdict
from generator.verify.decision_texts import decision_part
from tests.render.sample import sample


@pytest.mark.parametrize(
    ("p", "text"), [(0.000099, "<0.0001"), (0.0001, "0.0001"), (0.01225, "0.0123"), (1, "1.0000"), (0.05, "0.0500")]
)
def test_p_values(p: float, text: str) -> None:
    assert p_text(p) == text


def test_drops_of_mutants_are_written_in_points() -> None:
    detail: dict[str, Json] = {
        "mutants": {"a": {"drop": 0.16578, "passes": 1208, "p": 0.00001, "operator": "tool_remove"}}
    }
    number = msgspec.structs.replace(next(iter(sample().batch.numbers.values())), detail=detail)
    at = "detail.mutants.a."
    assert [decision_text(number, at + name) for name in ("drop", "passes", "p")] == ["16.6", "1,208", "<0.0001"]
    with pytest.raises(KeyError):
        decision_text(number, at + "operator")
    written = {"detail": {"mutants": {"a": {"drop": Fraction("-0.0974"), "p": Fraction(1)}}}}
    assert [decision_part(written, at + name) for name in ("drop", "p")] == ["\u22129.7", "1.0000"]


@pytest.mark.parametrize(
    ("change", "text"), [("0.049", "+4.9"), ("-0.0974", "\u22129.7"), ("0", "0.0"), ("0.0004", "0.0")]
)
def test_a_change_since_the_last_batch_has_its_sign(change: str, text: str) -> None:
    number = msgspec.structs.replace(next(iter(sample().batch.numbers.values())), detail={"change": float(change)})
    assert decision_text(number, "detail.change") == text
    assert decision_part({"detail": {"change": Fraction(change)}}, "detail.change") == text


def test_every_part_of_a_decision() -> None:
    interval = Interval(method="cluster_bootstrap", level=0.95, low=-0.274, high=0.1)
    number = msgspec.structs.replace(
        next(iter(sample().batch.numbers.values())),
        verdict=Verdict(kind="regression", outcome="fail", method="fisher", alpha=0.05, p=0.01225, power=0.523),
        tests=(
            CaseTest(method="mcnemar", cases=20, p=0.5, lost=1208, gained=3),
            CaseTest(method="cluster_bootstrap", cases=20, interval=interval, seed="a", replicates=1999),
        ),
        sequential=Sequential(
            outcome="pass", theta=0.8, delta=0.1, alpha=0.05, beta=0.1, lower=-2.25, upper=2.89, ratio=-2.255,
            recorded=90, stopped_at=66, expected_pass=77.46, expected_fail=84.4,
        ),
    )  # fmt: skip
    texts = {
        "verdict.p": "0.0123",
        "verdict.power": "52.3%",
        "tests.mcnemar.lost": "1,208",
        "tests.cluster_bootstrap.low": "\u221227.4",
        "tests.cluster_bootstrap.replicates": "1,999",
        "sequential.saved": "24",
        "sequential.ratio": "\u22122.26",
        "sequential.expected_pass": "77.5",
    }
    assert {part: decision_text(number, part) for part in texts} == texts
    for absent in ("verdict.more_runs", "tests.stratified.p", "tests.mcnemar.low", "verdict.kind", "other.p"):
        with pytest.raises(KeyError):
            decision_text(number, absent)
