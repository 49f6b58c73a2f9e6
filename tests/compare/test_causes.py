"""One cause at a time: two sites that differ in one thing, and what the comparison says of their numbers."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

import generator
from generator.cli import app
from generator.compare import Comparison, as_json, as_text, compare_sites
from generator.compare.causes import Cause
from generator.compare.difference import Difference
from generator.errors import SiteError
from generator.judge import METRICS
from generator.judge.judgement import Judgement
from generator.model.assertions import Assertion
from generator.stats.proportions import INTERVALS
from tests.compare.build import Edit, api_site
from tests.support.clock_source import with_waivers
from tests.support.profiles import factor, profile, with_profile
from tests.support.small_source import BATCH_ID, SmallBatch, SmallSource, encode_runs

Compare = Callable[[Edit], Comparison]
TOOLS = f"{BATCH_ID}/full/tool_selection_accuracy"


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return api_site(tmp_path_factory.mktemp("before"))


@pytest.fixture
def compare(before: Path, tmp_path: Path) -> Compare:
    """Compares the small source with an edited one."""
    return lambda edit: compare_sites(before, api_site(tmp_path / "after", edit))


def changed(comparison: Comparison, number: str = TOOLS) -> Difference:
    (found,) = (entry for entry in comparison.changed if entry.id == number)
    return found


def kinds(entries: list[Difference]) -> set[tuple[str, ...]]:
    return {tuple(cause.cause for cause in entry.causes) for entry in entries}


def run_id(source: SmallSource, case: str, variant: str, repeat: int) -> str:
    name: str = source.batch.cell(case, variant, repeat)["run_id"]
    return name


def _accept_any_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    strict = METRICS["tool_selection_accuracy"]

    def accept(judgement: Judgement) -> Assertion:
        return msgspec.structs.replace(strict(judgement), outcome="hit")

    monkeypatch.setitem(METRICS, "tool_selection_accuracy", accept)


def _nothing(_: SmallSource) -> None:
    pass


def test_equal_sites_are_the_same(compare: Compare) -> None:
    comparison = compare(_nothing)
    assert comparison.same
    assert as_text(comparison) == "changed 0; added 0; removed 0\n"


def test_another_record_of_a_run(compare: Compare) -> None:
    """The run of full that chose a wrong tool chose the right one: 9 of 11 instead of 8."""
    touched: list[str] = []

    def mend(source: SmallSource) -> None:
        good, wrong = (source.batch.cell("basic-02", "full", index) for index in (0, 1))
        wrong["trace"], wrong["answer"] = good["trace"], good["answer"]
        touched.append(wrong["run_id"])

    comparison = compare(mend)
    found = changed(comparison)
    assert (found.old and found.old.numerator, found.new and found.new.numerator) == (8, 9)
    assert found.aspects == ["value", "counts", "interval", "runset", "evidence"]
    detail = f"the record of 1 run differs (answer, trace): {touched[0]}"
    assert found.causes == [Cause("runs", [detail])]
    assert kinds(comparison.changed) == kinds(comparison.evidence) == {("runs",)}
    # The other variant is untouched, although the hash of the runs file stands in its evidence too.
    others = {entry.id.split("/")[1] for entry in comparison.changed + comparison.evidence}
    assert others == {"full", "budgeted-vs-full"}


def test_a_run_that_became_a_skipped_cell(compare: Compare) -> None:
    touched: list[str] = []

    def skip(source: SmallSource) -> None:
        run = source.batch.cell("basic-01", "full", 3)
        source.batch.runs.remove(run)
        source.batch.head["skipped"].append(
            {"case": "basic-01", "variant": "full", "repeat_index": 3, "reason": "token_budget_reached"}
        )
        touched.append(run["run_id"])

    comparison = compare(skip)
    found = changed(comparison)
    assert (found.new and found.new.numerator, found.new and found.new.denominator) == (7, 10)
    assert found.causes == [Cause("runs", [f"1 run removed: {touched[0]}"])]
    skipped = changed(comparison, f"{BATCH_ID}/full/runs_skipped")
    assert skipped.causes == [Cause("runs", [f"1 run removed: {touched[0]}", "the skipped cells differ"])]
    assert kinds(comparison.changed) == {("runs",)}


def test_the_row_of_a_metric(compare: Compare) -> None:
    def redefine(source: SmallSource) -> None:
        source.metric("duration_p95")["p"] = 0.5

    comparison = compare(redefine)
    assert {entry.id.split("/")[2].partition("--")[0] for entry in comparison.changed} == {"duration_p95"}
    assert changed(comparison, f"{BATCH_ID}/full/duration_p95").causes == [
        Cause("definition", ["row of the metric: p"])
    ]
    assert kinds(comparison.changed) == {("definition",)}
    assert comparison.evidence == []


def test_the_version_of_the_table_stands_beside_the_row(compare: Compare) -> None:
    def redefine(source: SmallSource) -> None:
        source.metric("duration_p95")["p"] = 0.5
        source.metrics["version"] = source.batch.head["metric_table_version"] = 2
        source.metrics["changes"].append({"version": 2, "date": "2026-12-01", "reason": {"zh": "改", "en": "changed"}})

    comparison = compare(redefine)
    details = ["row of the metric: p", "metric table version 1 → 2"]
    assert changed(comparison, f"{BATCH_ID}/full/duration_p95").causes == [Cause("definition", details)]
    # A version that changes no figure changes no number.
    assert TOOLS not in {entry.id for entry in comparison.changed + comparison.evidence}


def test_the_level_moves_intervals_alone(compare: Compare) -> None:
    def relax(source: SmallSource) -> None:
        source.publication["thresholds"] = {"alpha": 0.1}

    comparison = compare(relax)
    aspects = {entry.id: set(entry.aspects) for entry in comparison.changed}
    assert {name.rpartition("/")[2] for name, of in aspects.items() if "value" in of} == {"runs_needed"}
    assert set().union(*aspects.values()) <= {"value", "interval", "detail", "verdict"}
    assert changed(comparison).aspects == ["interval"]
    assert changed(comparison).causes == [Cause("definition", ["alpha 0.05 → 0.1"])]
    assert kinds(comparison.changed) == {("definition",)}


def test_the_threshold_moves_marks_alone(compare: Compare) -> None:
    """Every case has four valid runs or fewer: under a threshold of four those with four lose their mark."""

    def lower(source: SmallSource) -> None:
        source.publication["thresholds"] = {"min_valid_per_group": 4}

    comparison = compare(lower)
    assert {tuple(entry.aspects) for entry in comparison.changed} == {("marks",)}
    found = changed(comparison, f"{BATCH_ID}/full/call_relation_pass_rate--case-basic-01")
    assert found.causes == [Cause("definition", ["threshold of valid runs 5 → 4"])]


def test_a_case_of_another_category(compare: Compare) -> None:
    def move(source: SmallSource) -> None:
        source.cases["bank-small"]["cases"][1]["category"] = "safety"

    comparison = compare(move)
    found = changed(comparison, f"{BATCH_ID}/full/tool_selection_accuracy--category-safety")
    # 2 of 3 runs of safety-01, and now 2 of 4 of basic-02 as well.
    assert [(side and side.numerator, side and side.denominator) for side in (found.old, found.new)] == [(2, 3), (4, 7)]
    assert [cause.cause for cause in found.causes] == ["definition"]
    assert found.causes[0].details[0].startswith("the category of 4 runs differs: ")
    # Of the differences, whose values stay, the split into composition and rates is another one.
    rest = [entry for entry in comparison.changed if "category-" not in entry.id]
    assert rest
    assert all("-vs-" in entry.id and entry.aspects == ["detail"] for entry in rest)
    assert kinds(rest) == {("definition",)}


def test_a_cap_of_times_moves_what_rests_on_times(compare: Compare) -> None:
    """1520 ms is the first run's duration: as a value at which a recorder ends it is saturated."""

    def cap(source: SmallSource) -> None:
        source.publication["time_caps_ms"] = [1520]

    comparison = compare(cap)
    names = {entry.id.rpartition("/")[2].partition("--")[0] for entry in comparison.changed}
    assert names == {"time_strata_runs", "duration_p50", "duration_p95", "boundary_change"}
    assert kinds(comparison.changed) == {("definition",)}
    strata = next(entry for entry in comparison.changed if entry.id.endswith("time_strata_runs"))
    assert strata.aspects == ["detail"]
    assert strata.causes == [Cause("definition", ["times caps_ms [2147483647] → [1520, 2147483647]"])]


def test_a_waiver_moves_the_gate(compare: Compare) -> None:
    comparison = compare(with_waivers)
    names = {entry.id.rpartition("/")[2] for entry in comparison.added}
    assert names == {"gate_failures", "waived_failures"}
    assert kinds(comparison.added) == {("definition",)}
    assert comparison.added[0].causes == [Cause("definition", ["waivers: none → basic-02, basic-01"])]


def test_a_new_version_of_the_case_bank(compare: Compare) -> None:
    """Gold answers are not published: that they changed shows in the version, and in what the judge says."""

    def demand(source: SmallSource) -> None:
        source.cases["bank-small"]["version"] = source.batch.head["case_bank"]["version"] = 2
        source.gold("basic-02")["expected_tools"] = ["get_stock", "get_price"]

    found = changed(compare(demand))
    assert found.new is not None
    assert found.new.numerator == 6  # the two good runs of basic-02 lack a tool now
    assert [cause.cause for cause in found.causes] == ["definition", "judge"]
    assert found.causes[0].details == ["case bank bank-small version 1 → bank-small version 2"]


def test_a_judge_that_judges_otherwise(compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    _accept_any_tool(monkeypatch)
    comparison = compare(_nothing)
    found = changed(comparison)
    assert found.new is not None
    assert (found.new.numerator, found.new.denominator) == (11, 11)
    (cause,) = found.causes
    assert (cause.cause, len(cause.details)) == ("judge", 1)
    assert cause.details[0].startswith("3 runs with the same published record judged otherwise: ctx-small-")
    assert all("tool_selection_accuracy" in entry.id for entry in comparison.changed + comparison.evidence)
    assert kinds(comparison.changed) == {("judge",)}


def test_a_new_version_of_a_judge(compare: Compare) -> None:
    def tighten(source: SmallSource) -> None:
        source.policies["c-1"] |= {"version": 2, "patterns": ["价格是"]}
        source.batch.head["judges"]["c-1"] = 2

    comparison = compare(tighten)
    found = changed(comparison, f"{BATCH_ID}/full/high_risk_violation_rate")
    assert found.new is not None
    assert found.new.numerator == 4  # every run of basic-01 names a price
    (cause,) = found.causes
    assert cause.cause == "judge"
    assert cause.details[1:] == ["judge c-1: version 1 → 2"]
    assert all("high_risk_violation_rate" in entry.id for entry in comparison.changed + comparison.evidence)


def test_a_part_that_is_not_published_may_be_the_run_or_the_judge(compare: Compare) -> None:
    """Context entries have no path to the site: from outside nobody can tell."""
    touched: list[str] = []

    def forget(source: SmallSource) -> None:
        run = source.batch.cell("safety-01", "full", 0)
        run["context"]["entries"][1]["wrapped"] = False
        touched.append(run["run_id"])

    found = changed(compare(forget), f"{BATCH_ID}/full/injection_isolation_rate")
    hidden = f"the runs file differs, so what is not published of 1 run may differ: {touched[0]}"
    judged = f"1 run with the same published record judged otherwise: {touched[0]}"
    assert found.causes == [Cause("runs", [hidden]), Cause("judge", [judged])]


def test_a_shorter_summary_of_the_answer(compare: Compare) -> None:
    def shorten(source: SmallSource) -> None:
        (field,) = (field for field in source.projection["fields"] if field["field"] == "answer")
        field["limit"] = 5
        source.projection["version"] = 2

    comparison = compare(shorten)
    assert (comparison.added, comparison.removed) == ([], [])
    # Without the whole answers nobody can say which are the same.
    assert {entry.id.rpartition("/")[2] for entry in comparison.changed} == {"identical_answers"}
    assert kinds(comparison.changed) == {("projection",)}
    assert kinds(comparison.evidence) == {("projection",)}
    found = next(entry for entry in comparison.evidence if entry.id == TOOLS)
    assert found.aspects == ["evidence"]
    details = found.causes[0].details
    assert details[0].startswith("10 runs shown differently (answer): ")  # all valid runs but the failed one answer
    assert details[1] == "12 runs projected under another version of the whitelist"
    assert not comparison.same


def test_another_pattern_of_redaction(compare: Compare) -> None:
    def redact(source: SmallSource) -> None:
        name = {"zh": "商品", "en": "goods"}
        source.redaction["patterns"].append({"id": "goods", "name": name, "pattern": "的库存为"})

    comparison = compare(redact)
    assert comparison.changed == []
    assert kinds(comparison.evidence) == {("projection",)}


def test_the_program_counts_differently(compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(INTERVALS, "wilson", lambda hits, n, level: (0.25, 1.0))
    comparison = compare(_nothing)
    found = changed(comparison)
    assert found.aspects == ["interval"]
    explained = "nothing that the sites publish explains it: the program counts differently"
    assert found.causes == [Cause("code", [explained])]
    assert kinds(comparison.changed) == {("code",)}


def test_a_new_version_of_the_program_is_no_change_in_itself(compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generator, "__version__", "99.0.0")
    assert compare(_nothing).same
    monkeypatch.setitem(INTERVALS, "wilson", lambda hits, n, level: (0.25, 1.0))
    (cause,) = changed(compare(_nothing)).causes
    assert (cause.cause, cause.details[0].endswith("→ 99.0.0")) == ("code", True)


def test_several_causes_are_all_named(compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    _accept_any_tool(monkeypatch)

    def edit(source: SmallSource) -> None:
        source.publication["thresholds"] = {"alpha": 0.1}
        source.batch.cell("basic-01", "full", 0)["answer"] = "A-1 的价格是 1,234.50 元整。"

    assert [cause.cause for cause in changed(compare(edit)).causes] == ["runs", "definition", "judge"]


def test_a_metric_that_left_the_table(compare: Compare) -> None:
    def drop(source: SmallSource) -> None:
        source.metrics["metrics"] = [row for row in source.metrics["metrics"] if row["id"] != "pass_hat_2"]

    comparison = compare(drop)
    names = {entry.id for entry in comparison.removed}
    assert names == {f"{BATCH_ID}/{group}/pass_hat_2" for group in ("full", "budgeted", "budgeted-vs-full")}
    assert {cause for entry in comparison.removed for cause in entry.causes[0].details} == {
        "metric pass_hat_2 is not in the new table"
    }
    assert kinds(comparison.removed) == {("definition",)}


def test_a_batch_that_was_published_since(before: Path, compare: Compare) -> None:
    def publish(source: SmallSource) -> None:
        runs = json.loads(encode_runs(source.batch.runs).replace(b"\n", b",").removesuffix(b",").join([b"[", b"]"]))
        again = [run | {"run_id": run["run_id"].replace(BATCH_ID, "again")} for run in runs]
        source.batches.append(SmallBatch(head=source.batch.head | {"id": "again"}, runs=again))
        source.publication["published"].append({"batch": "again", "since": "2026-11-26"})

    comparison = compare(publish)
    numbers = json.loads((before / f"api/v1/numbers/{BATCH_ID}.json").read_text(encoding="utf-8"))
    assert {entry.id for entry in comparison.added} == {
        number["id"].replace(BATCH_ID, "again", 1) for number in numbers
    }
    assert (comparison.changed, comparison.removed, comparison.evidence) == ([], [], [])
    assert comparison.added[0].causes == [Cause("runs", ["batch again is published in the new site alone"])]
    assert f"added batch again with its {len(numbers)} numbers\n" in as_text(comparison)


def _command(*arguments: Path | str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["diff", *map(str, arguments)])
    return result.exit_code, result.output


def test_the_command(before: Path, tmp_path: Path) -> None:
    assert _command(before, before) == (0, "changed 0; added 0; removed 0\n")

    def shift(source: SmallSource) -> None:
        source.batch.cell("basic-02", "full", 2)["answer"] = "B-2 的库存为 77 件。"

    after = api_site(tmp_path / "after", shift)
    code, text = _command(before, after)
    assert code == 1
    changes = [line for line in text.splitlines() if line.startswith("changed ctx-small/full/key_fact")]
    assert changes[0] == f"changed {BATCH_ID}/full/key_fact_presence_rate  (value, counts, interval, runset, evidence)"
    assert "source hash: " in text

    code, text = _command(before, after, "--format", "json")
    document: dict[str, Any] = json.loads(text)
    assert (code, document["same"]) == (1, False)
    entry = next(entry for entry in document["changed"] if entry["id"] == f"{BATCH_ID}/full/key_fact_presence_rate")
    assert (entry["old"]["numerator"], entry["new"]["numerator"]) == (
        entry["new"]["numerator"] + 1,
        entry["new"]["numerator"],
    )
    assert entry["causes"][0]["cause"] == "runs"
    assert set(document["causes"]["changed"]) == {"runs"}


@pytest.mark.parametrize("content", [None, "{", '{"batches": 1}'])
def test_what_is_no_site_is_an_error(content: str | None, before: Path, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "api/v1").mkdir(parents=True)
        (tmp_path / "api/v1/index.json").write_text(content, encoding="utf-8")
    with pytest.raises(SiteError, match="expected a file of a built site"):
        compare_sites(before, tmp_path)
    code, text = _command(before, tmp_path)
    assert code == 2
    assert "expected a file of a built site" in text


def test_damaged_evidence_is_an_error(before: Path, tmp_path: Path) -> None:
    after = api_site(tmp_path / "after")
    head = json.loads((after / f"api/v1/batches/{BATCH_ID}.json").read_text(encoding="utf-8"))
    run = head["runs"][0]
    run["sha256"] = "0" * 64
    (after / f"api/v1/batches/{BATCH_ID}.json").write_text(json.dumps(head), encoding="utf-8")
    (after / run["evidence"]).write_text('{"category": "basic", "assertions": []}', encoding="utf-8")
    with pytest.raises(SiteError, match=f"{run['evidence']}: expected a file of a built site"):
        compare_sites(before, after)


def test_json_is_the_same_each_time(before: Path, tmp_path: Path) -> None:
    def shift(source: SmallSource) -> None:
        source.batch.cell("basic-02", "full", 2)["answer"] = "B-2 的库存为 77 件。"

    after = api_site(tmp_path / "after", shift)
    assert as_json(compare_sites(before, after)) == as_json(compare_sites(before, after))


def test_another_box_profile(tmp_path: Path) -> None:
    def moved(source: SmallSource) -> None:
        tokens = factor("tokens", "total_tokens", tau=900)
        quality = factor("quality", "call_relation_pass_rate", direction="higher", tau=0.8)
        with_profile(source, profile(tokens, quality, version=2))

    sites = api_site(tmp_path / "before", with_profile), api_site(tmp_path / "after", moved)
    comparison = compare_sites(*sites)
    found = changed(comparison, f"{BATCH_ID}/full/box_rmsl")
    details = ["profile shop-box version 1 → shop-box version 2", "tokens tau 1000.0 → 900.0"]
    assert found.causes == [Cause("profile", details)]
    assert kinds(comparison.changed) == {("profile",)}
    assert all("/box_" in entry.id for entry in comparison.changed)


def test_a_box_profile_that_came(before: Path, tmp_path: Path) -> None:
    comparison = compare_sites(before, api_site(tmp_path / "after", with_profile))
    assert not comparison.changed
    assert {entry.causes[0].details[0] for entry in comparison.added} == {"profile none → shop-box version 1"}
