"""The box recomputed from what a site publishes, and damages to what it says of it."""

import dataclasses
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from generator.verify.box import BoxRules
from generator.verify.evidence import EvidenceRun, Judged
from generator.verify.recorded import Recorded
from tests.stats.golden import Entry, agree, entries, label
from tests.support.once import small_site_once
from tests.support.profiles import PROFILE_ID, reference_profile, with_profile
from tests.support.small_source import BATCH_ID, SmallSource
from tests.verify.forging import NUMBERS, Forged, api_places, number_page, page_of, places

PROFILE = f"api/v1/profiles/{PROFILE_ID}.json"
RESULT = f"experiments/context-strategy-comparison/{BATCH_ID}.html"
RMSL, INSIDE = f"{BATCH_ID}/full/box_rmsl", f"{BATCH_ID}/full/box_inside_rate"
MARGIN = f"{BATCH_ID}/budgeted-vs-full/box_margin"
Change = Callable[[Any], None]


def _boxed(source: SmallSource) -> None:
    """In force, and one run without tokens."""
    with_profile(source)
    del source.batch.cell("basic-01", "full", 0)["usage"]["prompt_tokens"]


@pytest.fixture(scope="module")
def boxed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_site_once(tmp_path_factory, "boxed", _boxed)


def _run(**recorded: Any) -> EvidenceRun:
    empty = {field.name: None for field in dataclasses.fields(EvidenceRun)}
    kept = {
        "run_id": "r",
        "validity": "valid",
        "assertions": {},
        "recorded": Recorded(**recorded),
    }
    return EvidenceRun(**empty | kept)  # type: ignore[arg-type]


def _exact(profile: dict[str, Any]) -> dict[str, Any]:
    """As JSON is read."""
    factors = [
        factor | {name: Fraction(str(factor[name])) for name in ("tau", "k", "lambda")} for factor in profile["factors"]
    ]
    return profile | {"factors": factors}


@pytest.mark.parametrize("entry", entries("box_trace"), ids=label)
def test_runs_of_the_reference(entry: Entry) -> None:
    written, trace = reference_profile(entry)
    columns = {factor["column"]: Fraction(trace[factor["name"]]) for factor in written["factors"]}
    run = _run(cost=columns["cost_usd"], duration=columns["duration_ms"])
    share = Judged("value", columns["call_relation_pass_rate"], None)
    said = BoxRules(_exact(written)).said_of(dataclasses.replace(run, assertions={"call_relation_pass_rate": share}))
    assert said.score == pytest.approx(entry["expected"]["score"], rel=1e-9)
    assert said.is_inside is entry["expected"]["inside_box"]
    for name, expected in entry["expected"]["metrics"].items():
        part = said.factors[name]
        got = {"x": float(part.x), "loss": part.loss, "weighted_loss": part.weighted, "inside": part.is_inside}
        assert not agree(got, expected, entry["tolerance"])


def test_the_site_verifies_and_publishes_its_profile(boxed: Path, tmp_path: Path) -> None:
    forged = Forged(boxed, tmp_path / "site")
    assert forged.json("api/v1/index.json")["box_profile"] == {"id": PROFILE_ID, "version": 1, "file": PROFILE}
    assert forged.json(PROFILE)["factors"][1]["lambda"] == 1
    rmsl = next(number for number in forged.json(NUMBERS) if number["id"] == RMSL)
    assert (rmsl["denominator"], rmsl["missing"]["count"]) == (10, 1)
    assert rmsl["detail"]["lacking"] == {"tokens": {"runs": 1}}


def _of(name: str, change: Change) -> Callable[[Forged], None]:
    def damage(forged: Forged) -> None:
        numbers = forged.json(NUMBERS)
        change(next(number for number in numbers if number["id"] == name))
        forged.write_json(NUMBERS, numbers)

    return damage


def _set(*path: str | int, to: Any) -> Change:
    def change(value: Any) -> None:
        for step in path[:-1]:
            value = value[step]
        value[path[-1]] = to

    return change


def _of_profile(change: Change) -> Callable[[Forged], None]:
    def damage(forged: Forged) -> None:
        profile = forged.json(PROFILE)
        change(profile)
        forged.write_json(PROFILE, profile)

    return damage


@pytest.mark.parametrize(
    ("damage", "place"),
    [
        (_of(RMSL, _set("value", to=0.5)), RMSL),
        (_of(RMSL, _set("detail", "lacking", to={})), RMSL),
        (_of(RMSL, _set("detail", "profile", to=f"{PROFILE_ID}@1:0123456789abcdef")), RMSL),
        (_of(INSIDE, _set("numerator", to=2)), INSIDE),
        (_of(INSIDE, _set("interval", "low", to=0.5)), INSIDE),
        (_of(INSIDE, _set("detail", "below_one", to=1)), INSIDE),
        (_of(INSIDE, _set("detail", "below_one_outside", to=5)), INSIDE),
        (_of(f"{BATCH_ID}/full/box_badness--factor-tokens", _set("value", to=1)), None),
        (_of(f"{BATCH_ID}/full/box_loss--factor-quality", _set("detail", "outside", to=0)), None),
        (_of(f"{BATCH_ID}/budgeted-vs-full/box_rmsl", _set("change", to="unchanged")), None),
        (_of(f"{BATCH_ID}/budgeted-vs-full/box_inside_rate", _set("interval", "high", to=1)), None),
        (_of(MARGIN, _set("detail", "factors", "tokens", "tau_up", to=1001.5)), MARGIN),
        (_of_profile(_set("factors", 0, "tau", to=900)), RMSL),
        (_of_profile(_set("method", to="max")), RMSL),
        (_of_profile(_set("factors", 1, "direction", to="lower")), RMSL),
        (_of_profile(_set("version", to=2)), PROFILE),
    ],
)
def test_a_damaged_number_or_profile_is_found(
    boxed: Path, tmp_path: Path, damage: Callable[[Forged], None], place: str | None
) -> None:
    forged = Forged(boxed, tmp_path / "site")
    damage(forged)
    found = api_places(forged)
    assert found
    assert place is None or place in found


@pytest.mark.parametrize("tau", [0, -1])
def test_a_profile_that_cannot_be_one_is_said_to_be_unreadable(boxed: Path, tmp_path: Path, tau: int) -> None:
    forged = Forged(boxed, tmp_path / "site")
    _of_profile(_set("factors", 0, "tau", to=tau))(forged)
    assert "api/v1/index.json" in api_places(forged)


def test_a_number_that_is_left_out_is_missed(boxed: Path, tmp_path: Path) -> None:
    forged = Forged(boxed, tmp_path / "site")
    forged.write_json(NUMBERS, [number for number in forged.json(NUMBERS) if "box_loss" not in number["id"]])
    assert f"numbers of {BATCH_ID}" in api_places(forged)


@pytest.mark.parametrize(
    ("page", "old", "new"),
    [
        (page_of(f"{BATCH_ID}-0002"), "<td><code>", "<td><code>1"),
        (page_of(f"{BATCH_ID}-0002"), "st-good st-hit", "st-bad st-miss"),
        (page_of(f"{BATCH_ID}-0002"), 'lang="en">outside the box<', 'lang="en">inside the box<'),
        (number_page("full/box_rmsl"), '<span class="ref">', '<span class="ref">9'),
    ],
)
def test_what_a_page_says_otherwise_is_found(boxed: Path, tmp_path: Path, page: str, old: str, new: str) -> None:
    forged = Forged(boxed, tmp_path / "site")
    text = forged.text(page)
    start = text.index('id="box"') if page.startswith("runs/") else text.index('<tbody id="sample"')
    assert old in text[start:]
    forged.write(page, (text[:start] + text[start:].replace(old, new, 1)).encode())
    assert page in places(forged)


def test_a_section_that_is_left_out_is_missed(boxed: Path, tmp_path: Path) -> None:
    forged, page = Forged(boxed, tmp_path / "site"), page_of(f"{BATCH_ID}-0002")
    text = forged.text(page)
    start = text.index('<section aria-labelledby="box">')
    forged.write(page, (text[:start] + text[text.index("</section>", start) + len("</section>") :]).encode())
    assert page in places(forged)


def test_a_count_on_the_result_page_is_checked(boxed: Path, tmp_path: Path) -> None:
    forged = Forged(boxed, tmp_path / "site")
    text = forged.text(RESULT)
    start = text.index('data-part="detail.below_one_outside"')
    end = text.index("</a>", start)
    forged.write(RESULT, (text[: text.index(">", start) + 1] + "77" + text[end:]).encode())
    assert RESULT in places(forged)
