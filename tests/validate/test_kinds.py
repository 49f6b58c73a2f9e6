"""Rules of mutants and of runs that follow others."""

from pathlib import Path
from typing import Any

import pytest

from generator.errors import Finding, Refused
from generator.pipeline import check_source
from tests.support.checking import findings_of
from tests.support.kinds import AGENT, as_metamorphic, as_mutation
from tests.support.small_source import SmallSource, write_small_source
from tests.validate.rule_cases import Edit, RuleCase, both, put, take

Dict = dict[str, Any]
RUNS = "batches/ctx-small/runs.jsonl"
VARIANTS = "experiments.yaml  experiments[0].variants"


def _variant(place: int) -> Any:
    return lambda source: source.experiment()["variants"][place]


def _run(source: SmallSource) -> Dict:
    """The first run of `budgeted`."""
    return source.batch.runs[0]


def _found(tmp_path: Path, edit: Edit) -> list[Finding]:
    return findings_of(write_small_source(tmp_path, edit))


MUTATION, RELATION = {"operator": "tool_remove"}, {"family": "oracle", "expects": "holds"}


CASES = [
    RuleCase(
        "a mutant in a comparison", put(_variant(1), "mutation", MUTATION), [("RC118", f"{VARIANTS}[1].mutation")]
    ),
    RuleCase(
        "a relation in a comparison", put(_variant(1), "relation", RELATION), [("RC118", f"{VARIANTS}[1].relation")]
    ),
    RuleCase(
        "a mutant that does not say how",
        both(as_mutation(), take(_variant(1), "mutation")),
        [("RC118", f"{VARIANTS}[1].mutation")],
    ),
    RuleCase(
        "an original that is a mutant",
        both(as_mutation(), put(_variant(0), "mutation", MUTATION)),
        [("RC118", f"{VARIANTS}[0].mutation")],
    ),
    RuleCase(
        "a relation among mutants",
        both(as_mutation(), put(_variant(1), "relation", RELATION)),
        [("RC118", f"{VARIANTS}[1].relation")],
    ),
    RuleCase(
        "an expectation of another family",
        both(as_metamorphic(), put(_variant(1), "relation", {"family": "permutation", "expects": "holds"})),
        [("RC119", f"{VARIANTS}[1].relation.expects")],
    ),
    RuleCase(
        "a relation on a mean",
        both(as_metamorphic(), put(_variant(1), "relation", RELATION | {"metric": "avg_turns"})),
        [("RC119", f"{VARIANTS}[1].relation.metric")],
    ),
    RuleCase(
        "a relation on an unknown metric",
        both(as_metamorphic(), put(_variant(1), "relation", RELATION | {"metric": "answer_form"})),
        [("RC105", f"{VARIANTS}[1].relation.metric")],
    ),
    RuleCase(
        "violations that must exceed everything",
        lambda source: source.publication.update(thresholds={"epsilon": 0.9}),
        [("RC109", "publication.yaml  thresholds.epsilon")],
    ),
    RuleCase(
        "a run that follows none",
        both(as_metamorphic(), take(_run, "source_run_id")),
        [("RC323", f"{RUNS}:1  run ctx-small-0001  source_run_id")],
    ),
    RuleCase(
        "a run that follows itself",
        both(as_metamorphic(), put(_run, "source_run_id", "ctx-small-0001")),
        [("RC323", f"{RUNS}:1  run ctx-small-0001  source_run_id")],
    ),
    RuleCase(
        "a run that follows nothing of the batch",
        both(as_metamorphic(), put(_run, "source_run_id", "elsewhere")),
        [("RC323", f"{RUNS}:1  run ctx-small-0001  source_run_id")],
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_broken_rule(case: RuleCase, tmp_path: Path) -> None:
    found = _found(tmp_path, case.edit)
    assert [(finding.code, str(finding.place)) for finding in found] == case.expected


@pytest.mark.parametrize("edit", [as_mutation(), as_metamorphic(), as_metamorphic("holds", "oracle")])
def test_sound_batches_of_both_kinds(edit: Edit, tmp_path: Path) -> None:
    assert _found(tmp_path, edit) == []


def test_baseline_alone(tmp_path: Path) -> None:
    def edit(source: SmallSource) -> None:
        experiment = source.experiments[1]
        experiment |= {"kind": "mutation", "variants": experiment["variants"][:1]}

    (finding,) = _found(tmp_path, edit)
    assert (finding.code, finding.expected) == ("RC118", "a variant besides the baseline")
    assert finding.remedy == "register one with a `mutation`"


def test_a_source_of_another_case_is_named(tmp_path: Path) -> None:
    def edit(source: SmallSource) -> None:
        run = _run(source)
        other = next(case for case in ("basic-01", "basic-02") if case != run["case_id"])
        run["source_run_id"] = source.batch.cell(other, "full", 0)["run_id"]

    (finding,) = _found(tmp_path, both(as_metamorphic(), edit))
    assert finding.code == "RC323"
    assert finding.expected == "a run of `full` and of the same case"
    assert finding.found.startswith("a run of the case `basic-0")


def test_a_source_that_follows(tmp_path: Path) -> None:
    def edit(source: SmallSource) -> None:
        source.batch.runs[1]["source_run_id"] = "ctx-small-0001"

    (finding,) = _found(tmp_path, both(as_metamorphic(), edit))
    assert (finding.code, finding.place.line, finding.found) == ("RC323", 2, "one")


def test_a_source_that_evidence_does_not_show(tmp_path: Path) -> None:
    """What is recomputed rests on it, so every run that follows is found."""

    def edit(source: SmallSource) -> None:
        fields = source.projection["fields"]
        source.projection["fields"] = [entry for entry in fields if entry["field"] != "source_run_id"]

    write_small_source(tmp_path, both(as_metamorphic(), edit))
    with pytest.raises(Refused) as refused:
        check_source(tmp_path, jobs=1, progress=lambda step: None)
    found = refused.value.findings
    assert {finding.code for finding in found} == {"RC323"}
    assert len(found) == 11
    assert "let projection.yaml show `source_run_id`" in found[0].remedy


@pytest.mark.parametrize(
    ("operator", "changes", "expected", "found"),
    [
        (
            "prompt_drop",
            {"prompt": {"edit": "drop"}, "model": "other"},
            "a change of `prompt` alone for `budgeted` (prompt_drop)",
            "changes of prompt, model",
        ),
        (
            "context_noise",
            {"prompt": {"edit": "drop"}},
            "a change of `context` alone for `budgeted` (context_noise)",
            "changes of prompt",
        ),
        (
            "model_weaker",
            {"model": "old", "orchestration": "secret wording"},
            "a change of `model` alone for `budgeted` (model_weaker)",
            "changes of model, another one",
        ),
    ],
)
def test_a_mutant_changes_one_component(
    operator: str, changes: Dict, expected: str, found: str, tmp_path: Path
) -> None:
    (finding,) = _found(tmp_path, as_mutation(operator, changes))
    assert (finding.code, finding.expected, finding.found) == ("RC322", expected, found)
    assert str(finding.place) == f"{RUNS}:1  run ctx-small-0001  config.effective.agent"


def test_a_mutant_that_is_the_original(tmp_path: Path) -> None:
    """Nothing was varied (RC317), so nothing of its component was changed either."""
    found = _found(tmp_path, as_mutation(changes={"prompt": AGENT["prompt"]}))
    assert {finding.code: finding.found for finding in found}["RC322"] == "the value of the original"
