"""Every rule of a batch: its head, its grid, its order, its threshold."""

from pathlib import Path
from typing import Any

import pytest

from generator.errors import Finding
from tests.support.checking import findings_of
from tests.support.small_source import SmallBatch, SmallSource, encode_runs, small_source, write_small_source
from tests.validate.rule_cases import Edit, RuleCase, both, put

Dict = dict[str, Any]
HEAD = "batches/ctx-small/batch.yaml"
RUNS = "batches/ctx-small/runs.jsonl"


def _head(source: SmallSource) -> Dict:
    return source.batch.head


def _planned(source: SmallSource) -> Dict:
    planned: Dict = source.batch.head["planned"]
    return planned


def _drop(state: str) -> Edit:
    def edit(source: SmallSource) -> None:
        source.batch.runs[:] = [run for run in source.batch.runs if run["state"] != state]

    return edit


def _place(case: str, variant: str, repeat_index: int, field: str = "") -> str:
    run = small_source().batch.cell(case, variant, repeat_index)
    return f"{RUNS}:{run['sequence']}  run {run['run_id']}" + (f"  {field}" if field else "")


def _repeat_last_run(**changes: Any) -> Edit:
    return lambda source: source.batch.runs.append({**source.batch.runs[-1], **changes})


def _as_recorded(source: SmallSource) -> None:
    source.experiment()["schedule"] = {"method": "as_recorded"}


def _swap_first_two(source: SmallSource) -> None:
    first, second = source.batch.runs[:2]
    first["sequence"], second["sequence"] = second["sequence"], first["sequence"]


def _copy_of_the_batch(source: SmallSource) -> None:
    """Another batch of the same runs; only the first keeps its id."""
    runs = [{**run, "run_id": f"other-{run['run_id']}"} for run in source.batch.runs]
    runs[4]["run_id"] = source.batch.runs[4]["run_id"]
    source.batches.append(SmallBatch(head={**source.batch.head, "id": "ctx-other"}, runs=runs))
    source.publication["published"].append({"batch": "ctx-other", "since": "2026-11-25"})


CASES = [
    RuleCase(
        "experiment not registered",
        put(_head, "experiment", "context-strategy"),
        [("RC301", f"{HEAD}  experiment")],
    ),
    RuleCase(
        "experiment private",
        put(lambda s: s.experiment(), "visibility", "private"),
        [("RC302", f"{HEAD}  experiment")],
    ),
    RuleCase("future table", put(_head, "metric_table_version", 99), [("RC303", f"{HEAD}  metric_table_version")]),
    RuleCase("past table", put(_head, "metric_table_version", 0), [("RC303", f"{HEAD}  metric_table_version")]),
    RuleCase(
        "case bank of another version",
        put(_head, "case_bank", {"id": "bank-small", "version": 2}),
        [("RC304", f"{HEAD}  case_bank.version")],
    ),
    RuleCase(
        "catalogue and fixtures that are not there",
        both(put(_head, "catalog", {"id": "x", "version": 1}), put(_head, "fixtures", {"id": "y", "version": 1})),
        [("RC304", f"{HEAD}  catalog.id"), ("RC304", f"{HEAD}  fixtures.id")],
    ),
    RuleCase("judge of another version", put(_head, "judges", {"c-1": 2}), [("RC304", f"{HEAD}  judges.c-1")]),
    RuleCase(
        "grid with an unknown case",
        lambda s: (_planned(s)["cases"].append("basic-9"), _head(s)["skipped"].extend(_skips("basic-9")))[0],
        [("RC305", f"{HEAD}  planned.cases[3]")],
    ),
    RuleCase(
        "variant planned twice",
        lambda s: _planned(s)["variants"].append("full"),
        [("RC101", f"{HEAD}  planned.variants[2]")],
    ),
    RuleCase(
        "skip outside the grid, in prose",
        lambda s: _head(s)["skipped"].append(
            {"case": "basic-01", "variant": "full", "repeat_index": 9, "reason": "No budget"}
        ),
        [("RC306", f"{HEAD}  skipped[1].reason"), ("RC306", f"{HEAD}  skipped[1].repeat_index")],
    ),
    RuleCase("cell neither run nor skipped", _drop("CANCELLED"), [("RC307", f"{HEAD}  planned")]),
    RuleCase(
        "cell twice",
        both(_as_recorded, _repeat_last_run(run_id="again", sequence=99)),
        [("RC308", f"{RUNS}:24  run again")],
    ),
    RuleCase(
        "cell run and skipped",
        lambda s: _head(s)["skipped"].append(
            {"case": "basic-01", "variant": "full", "repeat_index": 0, "reason": "token_budget_reached"}
        ),
        [("RC308", _place("basic-01", "full", 0))],
    ),
    RuleCase(
        "cell skipped twice",
        lambda s: _head(s)["skipped"].append(_head(s)["skipped"][0]),
        [("RC308", f"{HEAD}  skipped[1]")],
    ),
    RuleCase(
        "place in the order twice",
        both(_as_recorded, put(lambda s: s.batch.runs[5], "sequence", 5)),
        [("RC310", f"{RUNS}:6  run ctx-small-0006  sequence")],
    ),
    RuleCase(
        "order that the seed does not give", _swap_first_two, [("RC311", f"{RUNS}:2  run ctx-small-0002  sequence")]
    ),
    RuleCase("another seed", put(lambda s: s.experiment()["schedule"], "seed", 8), [("RC311", "")]),
    RuleCase(
        "run id twice in a batch",
        put(lambda s: s.batch.runs[8], "run_id", "ctx-small-0003"),
        [("RC312", f"{RUNS}:9  run ctx-small-0003  run_id")],
    ),
    RuleCase(
        "run id twice in the source",
        _copy_of_the_batch,
        [("RC312", "batches/ctx-other/runs.jsonl:5  run ctx-small-0005  run_id")],
    ),
    RuleCase("no run", lambda s: s.batch.runs.clear(), [("RC313", RUNS)]),
    RuleCase("threshold", put(lambda s: s.experiment(), "min_valid_per_group", 11), [("RC318", f"{HEAD}  planned")]),
    RuleCase(
        "catalogue of an unknown variant, with an unknown tool",
        lambda s: _head(s)["variant_catalogs"].update({"ful": ["get_prise"]}),
        [("RC319", f"{HEAD}  variant_catalogs.ful"), ("RC319", f"{HEAD}  variant_catalogs.ful")],
    ),
    RuleCase(
        "provenance without a hash",
        put(lambda s: _head(s)["provenance"], "files", [{"name": "/x/a.json", "bytes": -1, "sha256": "abc"}]),
        [
            ("RC320", f"{HEAD}  provenance.files[0].bytes"),
            ("RC320", f"{HEAD}  provenance.files[0].name"),
            ("RC320", f"{HEAD}  provenance.files[0].sha256"),
        ],
    ),
    RuleCase(
        "published aggregate in words",
        put(_head, "published_aggregates", [{"metric": "avg_turns", "variant": "full", "value": "three"}]),
        [("RC403", f"{HEAD}  published_aggregates[0].value")],
    ),
    RuleCase(
        "published aggregate of an unknown metric",
        put(_head, "published_aggregates", [{"metric": "turns", "variant": "full", "value": "3"}]),
        [("RC105", f"{HEAD}  published_aggregates[0].metric")],
    ),
]


def _skips(case: str) -> list[Dict]:
    return [
        {"case": case, "variant": variant, "repeat_index": index, "reason": "not_run"}
        for variant in ("full", "budgeted")
        for index in range(4)
    ]


def _found(tmp_path: Path, edit: Edit) -> list[Finding]:
    return findings_of(write_small_source(tmp_path, edit))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_broken_rule_is_found_where_it_is(case: RuleCase, tmp_path: Path) -> None:
    findings = _found(tmp_path, case.edit)
    assert [finding.code for finding in findings] == [code for code, _ in case.expected]
    for finding, (_, place) in zip(findings, case.expected, strict=True):
        assert not place or str(finding.place) == place


def test_threshold_lists_the_gap_of_every_variant(tmp_path: Path) -> None:
    (finding,) = _found(tmp_path, put(lambda s: s.publication, "thresholds", {"min_valid_per_group": 12}))
    assert str(finding) == (
        "batches/ctx-small/batch.yaml  planned  RC318 every variant reaches the threshold of valid runs\n"
        "  expected at least 12 valid runs in each variant, found full 11 (1 short), budgeted 10 (2 short)\n"
        "  run the missing repeats, or take the batch out of publication.yaml"
    )


def test_variant_without_any_run_is_short_of_all(tmp_path: Path) -> None:
    def edit(source: SmallSource) -> None:
        source.batch.runs[:] = [run for run in source.batch.runs if run["variant"] == "full"]

    findings = _found(tmp_path, edit)
    assert [finding.code for finding in findings] == ["RC307", "RC318"]
    assert findings[1].found == "full 11, budgeted 0 (5 short)"
    assert findings[0].found.startswith("11 of `budgeted` without either: basic-01 × budgeted × 0, ")


@pytest.mark.parametrize(("own", "remedy"), [(99, "update metrics.yaml"), (0, "rejudge the batch")])
def test_both_versions_of_the_table_are_named(own: int, remedy: str, tmp_path: Path) -> None:
    (finding,) = _found(tmp_path, put(_head, "metric_table_version", own))
    assert finding.expected == "version 1 (metrics.yaml)"
    assert finding.found == f"version {own}"
    assert finding.remedy.startswith(remedy)


def test_repeated_run_id_names_both_places(tmp_path: Path) -> None:
    (finding,) = _found(tmp_path, put(lambda s: s.batch.runs[8], "run_id", "ctx-small-0003"))
    assert finding.found == f"the id of {RUNS}:3"


def test_skipped_cells_leave_the_order_of_the_others_alone(tmp_path: Path) -> None:
    """Sequence numbers may have gaps: only their order counts."""

    def edit(source: SmallSource) -> None:
        for run in source.batch.runs:
            run["sequence"] *= 10

    assert _found(tmp_path, edit) == []


def test_run_outside_the_grid(tmp_path: Path) -> None:
    def edit(source: SmallSource) -> None:
        _planned(source)["cases"].remove("basic-02")

    findings = _found(tmp_path, edit)
    assert {finding.code for finding in findings} == {"RC309"}
    assert len(findings) == 8


def test_grid_of_too_many_cells_is_refused_before_it_is_made(tmp_path: Path) -> None:
    def edit(source: SmallSource) -> None:
        _planned(source)["repeats"] = 10**9

    findings = _found(tmp_path, edit)
    assert findings[0].code == "RC305"


def _broken_lines(*numbers: int) -> Edit:
    """Cuts off the lines of these numbers."""

    def edit(source: SmallSource) -> None:
        lines = encode_runs(source.batch.runs).splitlines()
        cut = [line[:40] if number in numbers else line for number, line in enumerate(lines, start=1)]
        source.files[RUNS] = b"\n".join(cut) + b"\n"

    return edit


def test_cells_of_lines_that_cannot_be_read_are_not_missed(tmp_path: Path) -> None:
    """With 11 and 10 valid runs, two lines less would break a threshold of 10 too."""
    findings = _found(tmp_path, both(put(lambda s: s.experiment(), "min_valid_per_group", 10), _broken_lines(2, 7)))
    assert [(finding.code, str(finding.place)) for finding in findings] == [
        ("RC020", f"{RUNS}:2"),
        ("RC020", f"{RUNS}:7"),
        ("RC321", RUNS),
    ]
    assert findings[-1].found == "2 that could not be read"
    assert findings[-1].remedy.startswith("correct these lines first")


def test_a_batch_of_lines_that_cannot_be_read_is_not_an_empty_one(tmp_path: Path) -> None:
    findings = _found(tmp_path, _broken_lines(*range(1, 24)))
    assert {finding.code for finding in findings} == {"RC321", "RC020"}
    assert len(findings) == 24


def test_what_does_not_follow_from_broken_lines_is_found_with_them(tmp_path: Path) -> None:
    again = both(_as_recorded, _repeat_last_run(run_id="again", sequence=99), _broken_lines(2))
    assert [finding.code for finding in _found(tmp_path / "cell", again)] == ["RC020", "RC308", "RC321"]
    outside = both(lambda source: _planned(source)["cases"].remove("basic-02"), _broken_lines(1))
    assert {finding.code for finding in _found(tmp_path / "grid", outside)} == {"RC321", "RC020", "RC309"}


def test_one_wrong_variant_in_every_run_is_one_rule_and_what_waits_for_it(tmp_path: Path) -> None:
    def edit(source: SmallSource) -> None:
        for run in source.batch.runs:
            run["variant"] = "fulll"

    findings = _found(tmp_path, edit)
    assert [finding.code for finding in findings] == ["RC202"] * 23 + ["RC321"]
    assert findings[-1].found == "23 of an unknown variant, case or repeat"


def test_everything_wrong_is_found_at_once(tmp_path: Path) -> None:
    findings = _found(
        tmp_path,
        both(
            put(_head, "metric_table_version", 3),
            put(lambda s: s.batch.runs[0], "config_hash", "sha256:" + "1" * 64),
            put(lambda s: s.experiment(), "main_metrics", ["nothing"]),
            _drop("INVALID"),
        ),
    )
    assert {finding.code for finding in findings} == {"RC303", "RC207", "RC105", "RC307", "RC315"} - {"RC315"}
