"""Rules of box profiles, each broken by one edit."""

from pathlib import Path
from typing import Any

import pytest

from generator.errors import Finding
from tests.support.checking import findings_of
from tests.support.profiles import PROFILE_FILE, factor, profile, with_profile
from tests.support.small_source import SmallSource, write_small_source

SHARE = {"direction": "higher", "tau": 0.8}


def findings(tmp_path: Path, *factors: dict[str, Any], **changes: Any) -> list[Finding]:
    return findings_of(write_small_source(tmp_path, lambda source: with_profile(source, profile(*factors, **changes))))


def seen(found: list[Finding]) -> list[tuple[str, str]]:
    return [(finding.code, str(finding.place)) for finding in found]


def test_a_profile_that_can_be_used(tmp_path: Path) -> None:
    assert findings(tmp_path) == []


def test_a_source_needs_no_profile(tmp_path: Path) -> None:
    assert findings_of(write_small_source(tmp_path)) == []


def test_the_profile_in_force_is_there(tmp_path: Path) -> None:
    def misname(source: SmallSource) -> None:
        with_profile(source)
        source.publication["box_profile"] = "shop-bax"

    (found,) = findings_of(write_small_source(tmp_path, misname))
    assert (found.code, str(found.place)) == ("RC150", "publication.yaml  box_profile")
    assert found.expected == "one of shop-box"
    assert "shop-box" in found.remedy


@pytest.mark.parametrize(
    ("changes", "code", "field"),
    [
        ({"column": "kost_usd"}, "RC151", "column"),
        ({"column": "fingerprint_shift"}, "RC151", "column"),
        (SHARE, "RC151", "column"),
        ({"tau": 0}, "RC152", "tau"),
        ({"tau": -1}, "RC152", "tau"),
        ({"column": "call_relation_pass_rate", "direction": "higher", "tau": 1}, "RC152", "tau"),
        ({"column": "call_relation_pass_rate", "direction": "higher", "tau": -0.1}, "RC152", "tau"),
        ({"k": -0.5}, "RC153", "k"),
        ({"k": 1e300}, "RC153", "k"),
        ({"lambda": 5e-324}, "RC153", "lambda"),
        ({"tau": 1e-300}, "RC152", "tau"),
        ({"name": "Cost"}, "RC154", "name"),
        ({"name": "a-b"}, "RC154", "name"),
        ({"direction": "up"}, "RC009", "direction"),
        ({"kappa": 2}, "RC010", "kappa"),
    ],
)
def test_a_factor_that_cannot_be_used(tmp_path: Path, changes: dict[str, Any], code: str, field: str) -> None:
    (found,) = findings(tmp_path, factor("cost", "cost_usd") | changes)
    assert (found.code, found.place.file, found.place.field) == (code, PROFILE_FILE, f"factors[0].{field}")


def test_the_columns_are_listed_where_one_is_unknown(tmp_path: Path) -> None:
    (found,) = findings(tmp_path, factor("cost", "kost_usd"))
    assert found.expected.startswith("one of cost_usd, duration_ms, total_tokens, turns, tool_selection_accuracy, ")
    assert "cost_usd" in found.remedy


def test_a_weight_below_zero_and_weights_of_zero(tmp_path: Path) -> None:
    below = findings(tmp_path, factor("cost", "cost_usd"), factor("tokens", "total_tokens") | {"lambda": -1})
    assert seen(below) == [("RC153", f"{PROFILE_FILE}  factors[1].lambda")]


def test_some_factor_has_a_weight(tmp_path: Path) -> None:
    found = findings(tmp_path, factor("cost", "cost_usd") | {"lambda": 0})
    assert seen(found) == [("RC153", f"{PROFILE_FILE}  factors")]


def test_names_are_unique_and_versions_count_from_one(tmp_path: Path) -> None:
    found = findings(tmp_path, factor("cost", "cost_usd"), factor("cost", "total_tokens"), version=0)
    assert seen(found) == [("RC101", f"{PROFILE_FILE}  factors[1].name"), ("RC108", f"{PROFILE_FILE}  version")]


def test_reasons_are_given_in_both_languages(tmp_path: Path) -> None:
    one = factor("cost", "cost_usd")
    one["reasons"] = one["reasons"] | {"lambda": {"zh": "同等", "en": " "}}
    assert seen(findings(tmp_path, one)) == [("RC110", f"{PROFILE_FILE}  factors[0].reasons.lambda.en")]
