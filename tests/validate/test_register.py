"""Rules of the evidence register and its data, each broken by one edit."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator.aggregate.evidence_numbers import evidence_numbers
from generator.model.report import Report
from generator.read.source import read_source
from generator.validate.evidence_numbers import check_evidence_numbers
from tests.support.audit_files import DATA, REGISTER, Audit, figure, row
from tests.support.checking import findings_of
from tests.support.small_definitions import text
from tests.support.small_source import SmallSource, write_small_source

Edit = Callable[[Audit], None]
Found = list[tuple[str, str]]


def found_in(tmp_path: Path, edit: Edit) -> Found:
    """Code and place of each finding of the definitions."""

    def write(source: SmallSource) -> None:
        audit = Audit()
        edit(audit)
        audit.claims = {"claims": []}
        audit.write(source)

    return [(found.code, str(found.place)) for found in findings_of(write_small_source(tmp_path, write))]


def of_numbers(tmp_path: Path, edit: Edit) -> list[tuple[str, str, str]]:
    """Code, expectation and what was found, of what is checked when the numbers are made."""

    def write(source: SmallSource) -> None:
        audit = Audit()
        edit(audit)
        audit.write(source)

    source, findings = read_source(write_small_source(tmp_path, write))
    assert source is not None
    assert findings == []
    report = Report(source=source, batches=[], evidence_numbers=evidence_numbers(source))
    return [(found.code, found.expected, found.found) for found in check_evidence_numbers(report)]


def entry(place: int, **changes: Any) -> Edit:
    return lambda audit: audit.register["evidence"][place].update(changes)


def number(place: int, **changes: Any) -> Edit:
    return lambda audit: audit.number(place).update(changes)


def add(key: str, **record: Any) -> Edit:
    return lambda audit: audit.data[key].append(record)


def table(**changes: Any) -> Edit:
    return lambda audit: audit.data["tables"][0].update(changes)


def in_data(path: str) -> str:
    return f"{DATA}  {path}"


def in_register(path: str) -> str:
    return f"{REGISTER}  {path}"


def test_a_register_that_keeps_all_rules(tmp_path: Path) -> None:
    assert found_in(tmp_path, lambda audit: None) == []


@pytest.mark.parametrize(
    ("edit", "code", "place"),
    [
        (entry(0, id="E 1"), "RC160", in_register("evidence[0].id")),
        (entry(0, id="a--b"), "RC160", in_register("evidence[0].id")),
        (entry(0, id="index"), "RC160", in_register("evidence[0].id")),
        (entry(0, id="e02"), "RC160", in_register("evidence[1].id")),
        (
            entry(0, hashes=[{"algorithm": "sha256", "value": "ab12"}]),
            "RC161",
            in_register("evidence[0].hashes[0].value"),
        ),
        (
            entry(0, hashes=[{"algorithm": "git_blob", "value": "A" * 40}]),
            "RC161",
            in_register("evidence[0].hashes[0].value"),
        ),
        (entry(0, kind="frequency_table"), "RC162", in_register("evidence[0]")),
        (entry(1, kind="document"), "RC162", in_register("evidence[1]")),
        (entry(1, no_runs=None), "RC162", in_register("evidence[1].no_runs")),
        (entry(1, data={"figures": []}), "RC162", in_register("evidence[1].file")),
        (entry(1, file="../E02.yaml"), "RC162", in_register("evidence[1].file")),
        (entry(0, scope=text("三项", "Three of 3")), "RC173", in_register("evidence[0].scope.en")),
        (add("figures", **figure("All", 1, "cases")), "RC163", in_data("figures[10].id")),
        (add("figures", **figure("all", 1, "cases")), "RC163", in_data("figures[10].id")),
        (add("figures", **figure("more", "1,000", "cases")), "RC163", in_data("figures[10].value")),
        (add("figures", **figure("more", "1234567890.123456", "ms")), "RC163", in_data("figures[10].value")),
        (add("figures", **figure("more", None, "cases")), "RC163", in_data("figures[10].why")),
        (
            add("figures", **figure("more", None, "cases", why=text("少了一", "Lost 1"))),
            "RC173",
            in_data("figures[10].why.en"),
        ),
        (table(rows=[]), "RC164", in_data("tables[0].rows")),
        (table(rows=[[1, -1]]), "RC164", in_data("tables[0].rows[0]")),
        (table(rows=[[901, 1]]), "RC164", in_data("tables[0].rows[0]")),
        (table(rows=[["1,000", 1]]), "RC163", in_data("tables[0].rows[0]")),
        (table(rows=[[10, 1], [20, 1], [10, 2]]), "RC164", in_data("tables[0].rows[2]")),
        (table(rows=[[10, 2**53]]), "RC164", in_data("tables[0].rows[0]")),
        (table(rows=[[-5, 1]]), "RC164", in_data("tables[0].rows[0]")),
        (table(cap="2,147,483,647"), "RC163", in_data("tables[0].cap")),
        (number(18, at_most="30 s"), "RC163", in_data("numbers[18].at_most")),
        (number(18, at_most=-1), "RC163", in_data("numbers[18].at_most")),
        (number(18, at_most="-0.5"), "RC163", in_data("numbers[18].at_most")),
        (number(13, tables=["times", "times"]), "RC165", in_data("numbers[13].tables")),
        (number(7, compares=["case_pass_rate", "time_mean"]), "RC166", in_data("numbers[7].compares")),
        (number(0, metric="case_cuont"), "RC165", in_data("numbers[0].metric")),
        (number(0, metric="tool_selection_accuracy"), "RC165", in_data("numbers[0].metric")),
        (number(0, terms=[]), "RC165", in_data("numbers[0].terms")),
        (number(0, terms=["-passsed"]), "RC165", in_data("numbers[0].terms")),
        (number(0, group="hardd"), "RC165", in_data("numbers[0].group")),
        (number(0, tables=["times"]), "RC165", in_data("numbers[0].tables")),
        (number(13, tables=["time"]), "RC165", in_data("numbers[13].tables")),
        (number(18, at_most=None), "RC165", in_data("numbers[18].at_most")),
        (number(7, compares=["case_pass_rate", "reductoin"]), "RC165", in_data("numbers[7].compares")),
        (number(0, terms=["events"]), "RC166", in_data("numbers[0].metric")),
        (number(0, terms=["all", "events"]), "RC166", in_data("numbers[0].metric")),
        (number(2, numerator=["events"], said=None), "RC166", in_data("numbers[2].metric")),
        (table(unit="tokens"), "RC166", in_data("numbers[13].tables")),
        (number(1, group=None), "RC167", in_data("numbers[1]")),
        (number(2, numerator=["passed", "all"], said=None), "RC169", in_data("numbers[2].numerator")),
        (number(2, numerator=["passed", "-all"], said=None), "RC169", in_data("numbers[2].numerator")),
        (number(12, sample="median"), "RC169", in_data("numbers[12].sample")),
        (table(cap=None), "RC169", in_data("numbers[17].tables")),
    ],
)
def test_a_rule_that_is_broken(tmp_path: Path, edit: Edit, code: str, place: str) -> None:
    assert (code, place) in found_in(tmp_path, edit)


def test_tables_of_different_things_are_not_taken_together(tmp_path: Path) -> None:
    def edit(audit: Audit) -> None:
        audit.data["tables"].append({**audit.data["tables"][0], "id": "others", "counts": "calls"})
        audit.number(16)["tables"] = ["times", "others"]

    assert found_in(tmp_path, edit) == [("RC166", in_data("numbers[16].tables"))]


def test_limits(tmp_path: Path) -> None:
    def edit(audit: Audit) -> None:
        audit.register["evidence"] += [{**audit.register["evidence"][0], "id": f"F{place}"} for place in range(500)]

    assert ("RC178", in_register("evidence")) in found_in(tmp_path, edit)


def test_a_batch_may_not_be_called_as_the_numbers_of_evidence_are(tmp_path: Path) -> None:
    def edit(source: SmallSource) -> None:
        source.batch.head["id"] = "evidence"
        source.publication["published"][0]["batch"] = "evidence"

    found = [(found.code, found.place.field) for found in findings_of(write_small_source(tmp_path, edit))]
    assert ("RC168", "id") in found


def test_the_hash_of_a_file_of_the_source_is_recomputed(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_bytes(b"hello\n")
    kept = {"kind": "file", "where": "note.txt"}
    right = [
        {"algorithm": "md5", "value": "b1946ac92492d2347c6235b4d2611184"},
        {"algorithm": "git_blob", "value": "ce013625030ba8dba906f756967f9e9ca394464a"},
    ]
    assert found_in(tmp_path, entry(0, **kept, hashes=right)) == []
    wrong = [{"algorithm": "md5", "value": "0" * 32}]
    assert found_in(tmp_path, entry(0, **kept, hashes=wrong)) == [("RC161", in_register("evidence[0].hashes[0].value"))]


def test_what_the_evidence_prints_is_what_its_figures_make(tmp_path: Path) -> None:
    assert of_numbers(tmp_path, lambda audit: None) == []
    assert of_numbers(tmp_path, number(2, said="71.0")) == [("RC179", "70.0", "71.0")]
    assert of_numbers(tmp_path, number(9, said="75")) == [("RC179", "no value", "75")]
    assert of_numbers(tmp_path, number(2, said="70%"))[0][0] == "RC179"


def test_parts_make_up_what_is_pooled(tmp_path: Path) -> None:
    def edit(audit: Audit) -> None:
        audit.number(7)["parts"] = audit.number(7)["parts"][:1]

    assert of_numbers(tmp_path, edit) == [("RC177", "weights that make 1", "2/5")]

    def swap(audit: Audit) -> None:
        first, second = audit.number(7)["parts"]
        first["weight"], second["weight"] = second["weight"], first["weight"]

    assert of_numbers(tmp_path / "swapped", swap) == [("RC177", "7/10, the pooled value", "4/5")]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"operation": "table_men"}, "operation"),
        ({"operation": "table_quantile"}, "p"),
        ({"p": 0.5}, "p"),
        ({"k": 1}, "k"),
        ({"source": "telemetry"}, "source"),
    ],
)
def test_rows_of_the_metric_table_on_evidence(tmp_path: Path, changes: dict[str, Any], field: str) -> None:
    def edit(source: SmallSource) -> None:
        source.metrics["metrics"].append({**row("made", "ms", "table_mean"), **changes})

    found = [(found.code, found.place.field) for found in findings_of(write_small_source(tmp_path, edit))]
    assert ("RC104", f"metrics[{len(_rows(tmp_path)) - 1}].{field}") in found


def _rows(root: Path) -> list[Any]:
    source, _ = read_source(root)
    assert source is not None
    return source.metrics.metrics
