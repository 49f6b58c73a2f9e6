"""Assumptions, plans and the last batch, recomputed by the second implementation on a site that has all of them."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from generator.model.addresses import statistics_page
from generator.stats.drift import arrangements
from generator.verify import verify_site
from generator.verify.assumptions import orders_by_pairs
from tests.support.once import small_site_once
from tests.support.small_source import BATCH_ID, EXPERIMENT_ID, Dict, SmallBatch, SmallSource
from tests.verify.forging import Forged, api_disagreements

EARLIER = "ctx-earlier"
METRICS = (
    *("order_drift", "identical_answers", "judge_agreement", "effective_runs"),
    *("runs_needed", "warm_start_runs", "fidelity_saving", "earlier_drop"),
)


def _with_an_earlier_batch(source: SmallSource) -> None:
    """The same runs, published before; in both, runs that were reused, a judge asked again, a variant that is dear."""
    source.experiment()["pass_metric"] = "task_pass_rate"
    source.experiment()["main_metrics"] = ["task_pass_rate"]
    draw = Random(2)
    batch = source.batch
    for run in batch.runs:
        passed = draw.random() < (0.9 if run["case_id"] == "basic-01" else 0.5)
        run["extra"] = {"passed": passed, "verdicts": [passed, passed, draw.random() < 0.8]}
        run["usage"]["cost_usd"] = 0.31 if run["variant"] == "full" else 0.01
    full = [run for run in batch.runs if run["variant"] == "full" and run["case_id"] == "basic-01"]
    full[1]["timing"]["duration_ms"] = 3
    full[2]["usage"] |= {"cached": True, "prompt_tokens": 0, "completion_tokens": 0}
    full[3]["usage"], full[3]["timing"]["duration_ms"] = dict(full[0]["usage"]), full[0]["timing"]["duration_ms"]
    source.batches.append(_again(batch, draw))
    source.publication["published"].insert(0, {"batch": EARLIER, "since": "2026-11-20"})


def _again(batch: SmallBatch, draw: Random) -> SmallBatch:
    def renamed(run: Dict) -> Dict:
        made = copy.deepcopy(run)
        made["run_id"] = run["run_id"].replace(BATCH_ID, EARLIER)
        made["extra"]["passed"] = draw.random() < 0.95
        return made

    head = copy.deepcopy(batch.head) | {"id": EARLIER, "executed_on": "2026-11-10"}
    return SmallBatch(head, [renamed(run) for run in batch.runs])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_site_once(tmp_path_factory, "assumed", _with_an_earlier_batch)


@pytest.fixture(scope="module")
def numbers(site: Path) -> dict[str, Any]:
    listed = json.loads((site / f"api/v1/numbers/{BATCH_ID}.json").read_text(encoding="utf-8"))
    return {number["id"].removeprefix(f"{BATCH_ID}/"): number for number in listed}


def test_the_site_verifies_and_has_them_all(site: Path, numbers: dict[str, Any]) -> None:
    assert verify_site(site).agrees
    groups = {"fidelity_saving": "budgeted-vs-full"}
    found = {name: numbers[f"{groups.get(name, 'full')}/{name}"] for name in METRICS}
    assert [name for name, number in found.items() if number["value"] is None and number["reason"] != "undecided"] == []


def test_signs_of_reuse_are_told(numbers: dict[str, Any]) -> None:
    detail = numbers["full/identical_answers"]["detail"]
    # Of the good runs of the first case one says that it was cached, used no tokens; one was fast; one is a copy.
    assert detail["outcome"] == "doubtful"
    assert (detail["declared"], detail["without_tokens"], detail["copies"]) == (1, 1, 1)
    assert detail["fast"] == 1
    assert numbers["budgeted/identical_answers"]["detail"]["outcome"] == "holds"


def test_the_earlier_batch_begins_and_is_compared(numbers: dict[str, Any]) -> None:
    for variant in ("full", "budgeted"):
        detail = numbers[f"{variant}/earlier_drop"]["detail"]
        assert (detail["batch"], detail["family_size"]) == (EARLIER, 2)
        assert numbers[f"{variant}/warm_start_runs"]["detail"]["batches"] == 1


@pytest.mark.parametrize("lang", ["", "en/"])
def test_the_page_shows_them(site: Path, lang: str) -> None:
    page = (site / f"{lang}{statistics_page(EXPERIMENT_ID, BATCH_ID)}").read_text(encoding="utf-8")
    for part in ('id="assumptions"', 'id="budget"', 'id="warm"', 'id="fidelity"', 'id="earlier"'):
        assert part in page
    for metric in METRICS:
        group = "budgeted-vs-full" if metric == "fidelity_saving" else "full"
        assert f'"{BATCH_ID}/{group}/{metric}"' in page
    assert 'href="#assumptions"' in page


def _set(name: str, value: object) -> Callable[[Any], None]:
    def change(number: Any) -> None:
        number["detail"][name] = value

    return change


@pytest.mark.parametrize(
    ("number", "change"),
    [
        ("full/order_drift", _set("later", 0)),
        ("full/order_drift", _set("outcome", "doubtful")),
        ("full/identical_answers", _set("outcome", "holds")),
        ("full/identical_answers", _set("copies", 0)),
        ("full/judge_agreement", _set("agree", 99)),
        ("full/effective_runs", _set("design_effect", 1)),
        ("full/effective_runs", _set("verdict", "pass")),
        ("full/runs_needed", _set("careful", 1)),
        ("full/runs_needed", _set("cost_fixed", 0.01)),
        ("full/warm_start_runs", _set("earlier_hits", 1)),
        ("full/warm_start_runs", _set("discount", 1)),
        ("budgeted-vs-full/fidelity_saving", _set("dear", "budgeted")),
        ("budgeted-vs-full/fidelity_saving", _set("agreement", 1)),
        ("full/earlier_drop", _set("decides", "pass")),
        ("full/earlier_drop", _set("family_size", 1)),
    ],
)
def test_a_forged_part_is_found(site: Path, tmp_path: Path, number: str, change: Callable[[Any], None]) -> None:
    forged = Forged(site, tmp_path / "site")
    address = f"api/v1/numbers/{BATCH_ID}.json"
    listed = forged.json(address)
    change(next(one for one in listed if one["id"] == f"{BATCH_ID}/{number}"))
    forged.write_json(address, listed)
    forged.renew()
    assert any(str(found).startswith(f"{BATCH_ID}/{number}") for found in api_disagreements(forged.root))


def test_orders_are_counted_as_the_other_implementation_does() -> None:
    for n in range(1, 9):
        for hits in range(1, n):
            ways = orders_by_pairs(n, hits)
            assert [ways[pairs] for pairs in range(hits * (n - hits) + 1)] == arrangements(hits, n)
    assert orders_by_pairs(1000, 999) == dict.fromkeys(range(1000), 1)
