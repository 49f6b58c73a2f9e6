"""Mutants and related pairs, recomputed from what a site publishes, and damages to what it says of them."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from generator.verify import verify_site
from generator.verify.behaviour import Reached
from generator.verify.evidence import EvidenceRun, Judged
from generator.verify.kinds import KindDerivation
from generator.verify.levels import Levels
from generator.verify.recompute import Batch, Recomputed
from generator.verify.recorded import Recorded
from generator.verify.result import VerifyResult
from generator.verify.timed import Timed
from tests.aggregate.test_kinds import GOLDEN, OPERATORS, OUTCOMES
from tests.support.kinds import EQUIVALENT, as_metamorphic, as_mutation
from tests.support.once import small_site_once
from tests.support.small_source import BATCH_ID
from tests.verify.forging import BATCH, NUMBERS, Forged, api_places, evidence_of, number_page, page_of, places

SCORE, RATE = f"{BATCH_ID}/full/mutation_score", f"{BATCH_ID}/full/violation_rate"
STATISTICS = f"experiments/context-strategy-comparison/{BATCH_ID}/statistics.html"
Change = Callable[[Any], None]


@pytest.fixture(scope="module")
def mutants(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_site_once(tmp_path_factory, "mutants", as_mutation())


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_site_once(tmp_path_factory, "pairs", as_metamorphic())


def _number(forged: Forged, name: str) -> tuple[list[Any], Any]:
    numbers = forged.json(NUMBERS)
    return numbers, next(number for number in numbers if number["id"] == name)


def test_a_mutant_that_survives(mutants: Path, tmp_path: Path) -> None:
    """8 of 11 against 8 of 10: no drop at all."""
    _, score = _number(Forged(mutants, tmp_path / "site"), SCORE)
    assert (score["value"], score["denominator"]) == (0, 21)
    assert score["detail"]["mutants"]["budgeted"] | {"p": None} == {
        "operator": "prompt_drop",
        "family": "prompt",
        "outcome": "survived",
        "passes": 8,
        "trials": 10,
        "drop": pytest.approx(8 / 11 - 8 / 10),
        "p": None,
    }
    text = (mutants / "en" / STATISTICS).read_text(encoding="utf-8")
    assert "Survived" in text
    assert f'data-of="{SCORE}" data-part="detail.mutants.budgeted.drop"' in text
    assert "Metamorphic relations" not in text


def test_pairs_that_differ(pairs: Path, tmp_path: Path) -> None:
    """Three of ten, by hand from the plot."""
    forged = Forged(pairs, tmp_path / "site")
    _, rate = _number(forged, f"{RATE}--relation-budgeted")
    assert (rate["numerator"], rate["denominator"], rate["verdict"]["outcome"]) == (3, 10, "inconclusive")
    page = forged.text(number_page("full/violation_rate"))
    assert page.count(">violated</span>") == 3
    run = next(run for run in forged.json(BATCH)["runs"] if run["variant"] == "budgeted")
    follows = forged.json(run["evidence"])["source_run_id"]
    assert f'<a href="./{follows}.html">' in forged.text(run["page"])


def _set(number: str, *path: str, to: Any) -> Callable[[Forged], None]:
    def change(forged: Forged) -> None:
        numbers, found = _number(forged, number)
        for key in path[:-1]:
            found = found[key]
        assert found[path[-1]] != to
        found[path[-1]] = to
        forged.write_json(NUMBERS, numbers)

    return change


def _head(change: Change) -> Callable[[Forged], None]:
    def edit(forged: Forged) -> None:
        head = forged.json(BATCH)
        change(head)
        forged.write_json(BATCH, head)

    return edit


def _drop(number: str) -> Callable[[Forged], None]:
    def edit(forged: Forged) -> None:
        numbers, found = _number(forged, number)
        numbers.remove(found)
        forged.write_json(NUMBERS, numbers)
        _head(lambda head: head["numbers"].remove(number))(forged)

    return edit


def _declare_equivalent(head: Any) -> None:
    head["variants"][1]["mutation"]["equivalent"] = EQUIVALENT


MUTANT = ("detail", "mutants", "budgeted")


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (_set(SCORE, *MUTANT, "outcome", to="killed"), SCORE),
        (_set(SCORE, *MUTANT, "passes", to=7), SCORE),
        (_set(SCORE, *MUTANT, "p", to=0.01), SCORE),
        (_set(SCORE, *MUTANT, "operator", to="prompt_inject"), SCORE),
        (_set(SCORE, "detail", "killed", to=1), SCORE),
        (_set(SCORE, "value", to=1), SCORE),
        (_drop(f"{SCORE}--family-prompt"), f"numbers of {BATCH_ID}"),
        (_head(_declare_equivalent), SCORE),
        (_head(lambda head: head.update(kind="comparison")), SCORE),
    ],
)
def test_damages_to_mutants(mutants: Path, tmp_path: Path, change: Callable[[Forged], None], place: str) -> None:
    forged = Forged(mutants, tmp_path / "site")
    change(forged)
    assert place in api_places(forged)


RELATION = f"{RATE}--relation-budgeted"


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (_set(RELATION, "numerator", to=2), RELATION),
        (_set(RELATION, "verdict", "outcome", to="pass"), RELATION),
        (_set(RELATION, "verdict", "epsilon", to=0.2), RELATION),
        (_set(RELATION, "detail", "relations", "budgeted", "violated", to=2), RELATION),
        (_set(RATE, "detail", "unpaired", to={"source_missed": 1}), RATE),
        (_drop(RELATION), f"numbers of {BATCH_ID}"),
        (_head(lambda head: head["variants"][1]["relation"].update(expects="holds", family="oracle")), RATE),
    ],
)
def test_damages_to_pairs(pairs: Path, tmp_path: Path, change: Callable[[Forged], None], place: str) -> None:
    forged = Forged(pairs, tmp_path / "site")
    change(forged)
    assert place in api_places(forged)


def test_a_run_that_follows_another_one_than_it_did(pairs: Path, tmp_path: Path) -> None:
    """It is paired with a source of the other outcome, and its page leads elsewhere."""
    forged = Forged(pairs, tmp_path / "site")
    runs = forged.json(BATCH)["runs"]
    evidence = {run["run_id"]: forged.json(run["evidence"]) for run in runs}
    outcome = {
        run: found["assertions"]["call_relation_pass_rate"]["outcome"]
        for run, found in evidence.items()
        if found["validity"] == "valid"
    }
    run_id = next(run for run, found in evidence.items() if found["source_run_id"] in outcome and run in outcome)
    old = evidence[run_id]["source_run_id"]
    new = next(run for run in outcome if evidence[run]["variant"] == "full" and outcome[run] != outcome[old])
    forged.write_json(evidence_of(run_id), evidence[run_id] | {"source_run_id": new})
    assert {RATE, RELATION, page_of(run_id)} <= places(forged)


def test_a_mutant_of_two_components(mutants: Path, tmp_path: Path) -> None:
    """Its configuration hash is renewed, as a forger would; the original still has another model."""
    forged = Forged(mutants, tmp_path / "site")
    run = next(run for run in forged.json(BATCH)["runs"] if run["variant"] == "budgeted")
    evidence = forged.json(run["evidence"])
    evidence["config"]["effective"]["agent"]["model"] = "another"
    forged.write_json(run["evidence"], evidence)
    forged.renew()
    found = verify_site(forged.root).disagreements
    assert any(disagreement.what == "unchanged component" for disagreement in found)


PASS = "call_relation_pass_rate"


def _run(run_id: str, variant: str, outcome: bool | None, follows: str | None = None) -> EvidenceRun:
    word = "not_applicable" if outcome is None else "hit" if outcome else "miss"
    reached = Reached(None, frozenset(), frozenset(), frozenset(), None)
    return EvidenceRun(
        run_id=run_id,
        variant=variant,
        case="basic-01",
        category="basic",
        repeat=0,
        sequence=0,
        state="COMPLETE",
        validity="valid",
        reason=None,
        stratum=None,
        marks=None,
        config_hash="",
        line=0,
        assertions={PASS: Judged(word, None, None)},
        causes=[],
        reached=reached,
        configured=frozenset(),
        follows=follows,
        recorded=Recorded(),
        timed=Timed(),
    )


def _variant(name: str, mutation: Any = None, relation: Any = None) -> dict[str, Any]:
    return {"id": name, "file_name": name, "mutation": mutation, "relation": relation}


def _recomputed(kind: str, variants: list[dict[str, Any]], runs: list[EvidenceRun]) -> tuple[Recomputed, Any]:
    head = {"kind": kind, "baseline": "full", "pass_metric": PASS, "variants": variants, "threshold": 5}
    tenth, twentieth = Fraction(1, 10), Fraction(1, 20)
    levels = Levels(twentieth, tenth, tenth, Fraction(4, 5), twentieth, "wilson", Fraction(20), [])
    derivation = KindDerivation(Batch(head, runs), {PASS: {"direction": "higher"}}, levels)
    operation = {"mutation": "mutation_score", "metamorphic": "violation_rate"}[kind]
    result = VerifyResult()
    made = derivation.recompute({"id": "n", "slice": None, "value": None}, operation, result)
    assert result.agrees
    return made


@pytest.mark.parametrize("name", sorted(GOLDEN))
def test_the_reference_by_the_second_way(name: str) -> None:
    data, expected = GOLDEN[name]["input"], GOLDEN[name]["expected"]
    variants, runs = [_variant("full")], [_run(f"o{n}", "full", n < data["original"][0]) for n in range(100)]
    for mutant in data["mutants"]:
        equivalent = EQUIVALENT if mutant.get("equivalent") else None
        operator = OPERATORS.get(mutant["id"], "context_noise")
        variants.append(_variant(mutant["id"], {"operator": operator, "equivalent": equivalent}))
        runs += [_run(f"{mutant['id']}{n}", mutant["id"], n < mutant["passes"]) for n in range(mutant["trials"])]
    made, detail = _recomputed("mutation", variants, runs)
    assert made.value == (None if expected["score"] is None else Fraction(expected["score_fraction"]))
    assert made.reason == (None if expected["non_equivalent"] else "all_mutants_equivalent")
    words = {True: "killed", False: "survived", None: "equivalent"}
    for wanted in expected["mutants"]:
        found = detail["mutants"][wanted["id"]]
        assert found["outcome"] == words[wanted["killed"]]
        if wanted["p_value"] is not None:
            assert float(found["p"]) == pytest.approx(wanted["p_value"], rel=1e-7)
            assert float(found["drop"]) == pytest.approx(wanted["drop"])


@pytest.mark.parametrize(
    ("expects", "violated", "judged", "unpaired"),
    [
        ("same", 3, 9, {"pair_not_judged": 1}),
        ("not_better", 1, 3, {"pair_not_judged": 1, "source_passed": 6}),
        ("follows", 2, 6, {"pair_not_judged": 1, "source_missed": 3}),
        ("holds", 4, 9, {"pair_not_judged": 1}),
    ],
)
def test_each_relation_by_the_second_way(expects: str, violated: int, judged: int, unpaired: dict[str, int]) -> None:
    relation = {"family": "oracle", "expects": expects, "metric": None}
    runs = []
    for place, (source, own) in enumerate(OUTCOMES):
        runs += [_run(f"s{place}", "full", source), _run(f"t{place}", "turned", own, f"s{place}")]
    made, detail = _recomputed("metamorphic", [_variant("full"), _variant("turned", relation=relation)], runs)
    assert (made.numerator, made.denominator, detail["unpaired"]) == (violated, judged, unpaired)
    assert made.numerator_runs is not None
    assert all(run.startswith("t") for run in made.numerator_runs)
