"""Rules of the claim ledger, each broken by one edit."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

from generator.aggregate.evidence_numbers import evidence_numbers
from generator.model.numbers import Interval, Number, Verdict
from generator.model.report import Report
from generator.read.source import read_source
from generator.validate.claims import check_claims
from tests.support.audit_files import CLAIMS, OF_BATCH, PASS_RATE, Audit
from tests.support.checking import findings_of
from tests.support.small_definitions import text
from tests.support.small_source import SmallSource, write_small_source

Edit = Callable[[Audit], None]
DIFFERENCE = "ctx-small/budgeted-vs-full/call_relation_pass_rate"


def claim(place: int, **changes: Any) -> Edit:
    return lambda audit: audit.claims["claims"][place].update(changes)


def written(tmp_path: Path, edit: Edit) -> Path:
    def write(source: SmallSource) -> None:
        audit = Audit()
        edit(audit)
        audit.write(source)

    return write_small_source(tmp_path, write)


def of_ledger(tmp_path: Path, edit: Edit) -> list[tuple[str, str]]:
    """Code and place of each finding before there are numbers."""
    return [(found.code, str(found.place)) for found in findings_of(written(tmp_path, edit))]


def of_numbers(tmp_path: Path, edit: Edit, **changes: Any) -> list[tuple[str, str, str]]:
    """Code, place and what was found, with the numbers at hand; `changes` are those of the difference."""
    source, _ = read_source(written(tmp_path, edit))
    assert source is not None
    numbers = evidence_numbers(source)
    known = numbers[PASS_RATE]
    numbers[OF_BATCH] = msgspec.structs.replace(known, id=OF_BATCH, evidence=None)
    numbers[DIFFERENCE] = msgspec.structs.replace(difference(known), **changes)
    report = Report(source=source, batches=[], evidence_numbers=numbers)
    return [(found.code, found.place.field or "", found.found) for found in check_claims(report)]


def difference(known: Number) -> Number:
    """One that improved beyond doubt."""
    return msgspec.structs.replace(
        known,
        id=DIFFERENCE,
        evidence=None,
        compares=(OF_BATCH, OF_BATCH),
        change="improved",
        interval=Interval(method="newcombe", level=0.95, low=0.1, high=0.3),
        exact=Fraction(1, 5),
    )


def test_a_ledger_that_keeps_all_rules(tmp_path: Path) -> None:
    assert of_ledger(tmp_path, lambda audit: None) == []
    assert of_numbers(tmp_path / "numbers", lambda audit: None) == []


@pytest.mark.parametrize(
    ("edit", "code", "field"),
    [
        (claim(0, id="C 1"), "RC170", "claims[0].id"),
        (claim(1, id="c01"), "RC170", "claims[1].id"),
        (claim(0, evidence=["E03"]), "RC172", "claims[0].evidence[0]"),
        (claim(1, text=text("大多", "In 95% of cases")), "RC173", "claims[1].text.en"),
        (claim(1, text=text("共 12 个", "Several")), "RC173", "claims[1].text.zh"),
        (claim(1, does_not_show=text("无", "All 3")), "RC173", "claims[1].does_not_show.en"),
        (claim(1, text=text("通过了九成五", "Most pass")), "RC173", "claims[1].text.zh"),
        (claim(1, text=text("大多通过", "Ninety-five per cent pass")), "RC173", "claims[1].text.en"),
        (claim(1, text=text("见 ref(93.7%)", "see ref(alpha)")), "RC173", "claims[1].text.zh"),
        (claim(1, text=text("见 ref(alpha)", "see ref(half)")), "RC173", "claims[1].text.en"),
        (claim(0, text=text(f"num({PASS_RATE})", "Nothing")), "RC176", "claims[0].text.en"),
    ],
)
def test_a_rule_that_is_broken(tmp_path: Path, edit: Edit, code: str, field: str) -> None:
    assert of_ledger(tmp_path, edit) == [(code, f"{CLAIMS}  {field}")]


def test_disagreements_follow_the_same_rules(tmp_path: Path) -> None:
    def edit(audit: Audit) -> None:
        audit.claims["disagreements"][0].update(id="C01", why=text("两件", "2 things"), evidence=["E9"])

    found = of_ledger(tmp_path, edit)
    assert {code for code, _ in found} == {"RC170", "RC172", "RC173"}


def test_limits(tmp_path: Path) -> None:
    def edit(audit: Audit) -> None:
        audit.claims["claims"] += [{**audit.claims["claims"][1], "id": f"M{place}"} for place in range(500)]

    assert of_ledger(tmp_path, edit) == [("RC178", f"{CLAIMS}  claims")]


def test_a_number_that_is_not_published(tmp_path: Path) -> None:
    typo = PASS_RATE.replace("pass_rate", "pas_rate")
    code, field, found = of_numbers(tmp_path, claim(0, numbers=[typo]))[0]
    assert (code, field, found) == ("RC171", "claims[0]", f"`{typo}`")
    source, _ = read_source(tmp_path)
    assert source is not None
    report = Report(source=source, batches=[], evidence_numbers=evidence_numbers(source))
    remedies = [found.remedy for found in check_claims(report)]
    assert any(PASS_RATE in remedy for remedy in remedies)


def test_verified_needs_a_number_with_a_value(tmp_path: Path) -> None:
    plain = text("是的。", "Yes.")
    assert of_numbers(tmp_path / "none", claim(0, text=plain, numbers=[])) == [("RC174", "claims[0]", "none")]
    lost = claim(0, text=plain, numbers=["evidence/e02/reduction--category-whole"])
    assert of_numbers(tmp_path / "lost", lost) == [("RC174", "claims[0]", "numbers without a value, or merely quoted")]
    assert of_numbers(tmp_path / "other", claim(1, text=plain)) == []


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({}, None),
        ({"change": "regressed"}, "the change word regressed"),
        ({"interval": None}, "no interval"),
        ({"interval": Interval(method="newcombe", level=0.95, low=-0.1, high=0.3)}, "the interval [-0.1, 0.3]"),
        ({"interval": Interval(method="newcombe", level=0.95, low=0.0, high=0.3)}, "the interval [0.0, 0.3]"),
        ({"compares": None}, "a number that compares no two variants"),
        (
            {"verdict": Verdict(kind="regression", outcome="fail", method="fisher", alpha=0.05)},
            "a verdict that it regressed",
        ),
    ],
)
def test_an_improvement_has_its_verdict(tmp_path: Path, changes: dict[str, Any], found: str | None) -> None:
    expected = [] if found is None else [("RC175", "claims[0].improvement", found)]
    assert of_numbers(tmp_path, claim(0, improvement=DIFFERENCE), **changes) == expected


@pytest.mark.parametrize("status", ["NOT_ESTABLISHED", "REJECTED", "HYPOTHESIS"])
def test_what_is_not_claimed_needs_no_verdict(tmp_path: Path, status: str) -> None:
    assert of_numbers(tmp_path, claim(0, improvement=DIFFERENCE, status=status), change="regressed") == []


def test_a_reduction_on_evidence_is_no_improvement(tmp_path: Path) -> None:
    found = of_numbers(tmp_path, claim(0, improvement="evidence/e02/gap"))
    assert found == [("RC175", "claims[0].improvement", "a number that compares no two variants")]
