"""`runcite gate` from a folder to an exit code: each code once at least, on sources whose verdicts are worked by hand.

Wilson's lower end at n of n is n/(n + z²) with z² = 3.8415: 16 of 16 give 0.806 and pass θ = 0.8, 15 of 15 give 0.796
and do not.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from generator import cli
from tests.decide.sources import SECRET, Passes, write_source
from tests.support.small_source import SmallSource, write_small_source

DEPLOY, BLOCK, HUMAN, NO_DECISION, USAGE = 0, 1, 2, 3, 64
NOT_PLANNED = "cases of the bank that the batch does not plan: safety-01"
WHOLE = "scenario: whole\nmin_coverage: null\n"
GOOD_16 = {"full": {"basic-01": "++++++++", "basic-02": "++++++++"}}
GOOD_15 = {"full": {"basic-01": "+++++", "basic-02": "+++++", "safety-01": "+++++"}}
BAD_16 = {"full": {"basic-01": "++------", "basic-02": "++------"}}


@pytest.fixture(autouse=True)
def _outside_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)


def run_gate(source: Path, *options: str | Path, policy: str | None = WHOLE) -> Result:
    """The command on a source, in this process."""
    arguments = ["gate", "--source", source, "--jobs", "1", *options]
    if policy is not None:
        file = source / "gate.yaml"
        file.write_text(policy, encoding="utf-8")
        arguments += ["--policy", file]
    return CliRunner().invoke(cli.app, [str(argument) for argument in arguments])


def _report(source: Path, *options: str | Path, policy: str | None = WHOLE) -> dict[str, Any]:
    result = run_gate(source, *options, "--format", "json", policy=policy)
    report: dict[str, Any] = json.loads(result.stdout)
    assert result.exit_code == report["exit_code"], result.output
    return report


def _codes(result: Result) -> set[tuple[str, str | None]]:
    assert result.exit_code == NO_DECISION, result.output
    return {(found["code"], found["place"]["field"]) for found in json.loads(result.stdout)["findings"]}


@pytest.mark.parametrize(
    ("passes", "outcome", "decision", "code"),
    [
        (GOOD_16, "pass", "deploy", DEPLOY),
        (GOOD_15, "inconclusive", "human", HUMAN),
        # 4 of 16: the upper end is 0.49.
        (BAD_16, "fail", "block", BLOCK),
    ],
)
def test_against_theta(passes: Passes, outcome: str, decision: str, code: int, tmp_path: Path) -> None:
    report = _report(write_source(tmp_path, {"b": passes}), "--batch", "b")
    (scenario,) = report["scenarios"]
    assert (scenario["outcome"], report["suite"]) == (outcome, outcome)
    assert (report["decision"], report["exit_code"]) == (decision, code)
    assert scenario["theta"] == 0.8


def test_so_many_more_runs_would_decide(tmp_path: Path) -> None:
    # The rate is held at 1: 16 runs in all.
    (scenario,) = _report(write_source(tmp_path, {"b": GOOD_15}), "--batch", "b")["scenarios"]
    assert scenario["more_runs"] == 1
    assert (scenario["current"]["hits"], scenario["current"]["n"]) == (15, 15)


def test_unknown_coverage_is_for_a_human(tmp_path: Path) -> None:
    source = write_source(tmp_path, {"b": GOOD_16})
    report = _report(source, "--batch", "b", policy="scenario: whole")
    assert (report["suite"], report["decision"], report["exit_code"]) == ("pass", "human", HUMAN)
    assert report["coverage"] == [{"variant": "full", "value": None}]
    assert "coverage of full is unknown, 70.0% is demanded" in report["reasons"]
    assert _report(source, "--batch", "b")["decision"] == "deploy"


def test_what_is_not_blocked_by_the_policy_is_for_a_human(tmp_path: Path) -> None:
    policy = WHOLE + "block_on_any_fail: false\n"
    report = _report(write_source(tmp_path, {"b": BAD_16}), "--batch", "b", policy=policy)
    assert (report["suite"], report["decision"], report["exit_code"]) == ("fail", "human", HUMAN)


def test_the_default_is_a_verdict_a_category(tmp_path: Path) -> None:
    report = _report(write_source(tmp_path, {"b": GOOD_15}), "--batch", "b", policy=None)
    counts = {scenario["slice"]: scenario["current"]["n"] for scenario in report["scenarios"]}
    assert counts == {"category-basic": 10, "category-safety": 5}
    assert report["levels"]["min_coverage"] == 0.7


def test_a_verdict_a_case(tmp_path: Path) -> None:
    report = _report(write_source(tmp_path, {"b": BAD_16}), "--batch", "b", policy="scenario: case")
    assert [(scenario["id"], scenario["outcome"]) for scenario in report["scenarios"]] == [
        ("full/task_pass_rate--case-basic-01", "fail"),
        ("full/task_pass_rate--case-basic-02", "fail"),
    ]


def test_a_scenario_without_a_judged_run_is_inconclusive(tmp_path: Path) -> None:
    passes = {"full": {"basic-01": "+" * 16, "safety-01": "!" * 16}}
    report = _report(write_source(tmp_path, {"b": passes}), "--batch", "b", policy="min_coverage: null")
    found = {scenario["slice"]: (scenario["outcome"], scenario["why"]) for scenario in report["scenarios"]}
    assert found == {
        "category-basic": ("pass", "at_threshold"),
        "category-safety": ("inconclusive", "no_judged_run"),
    }
    assert report["exit_code"] == HUMAN


def test_the_first_repeats_of_every_case_count_up_to_the_cap(tmp_path: Path) -> None:
    # Of both cases the repeats 0 to 7, all passed; what came later does not count.
    passes = {"full": {"basic-01": "++++++++----", "basic-02": "++++++++----"}}

    def case_after_case(source: SmallSource) -> None:
        ordered = sorted(source.batch.runs, key=lambda run: (run["case_id"], run["repeat_index"]))
        for sequence, run in enumerate(ordered, start=1):
            run["sequence"] = sequence

    source = write_source(tmp_path, {"b": passes}, case_after_case)
    report = _report(source, "--batch", "b", policy=WHOLE + "max_trials: 16\n")
    counts = report["scenarios"][0]["current"]
    assert (counts["hits"], counts["n"], counts["judged"], report["exit_code"]) == (16, 16, 24, DEPLOY)
    assert report["notes"] == [
        "full · all cases · task_pass_rate: 16 of 24 judged runs counted (max_trials)",
        "doubtful for full, on the pass metric: outcomes drift over the recorded order",
        NOT_PLANNED,
    ]


def test_a_few_runs_decide_nothing_against_theta(tmp_path: Path) -> None:
    # Wilson's interval of 0 of 4 ends at 0.490, far below 0.8; but at a true rate of 0.8 one run fails in five.
    source = write_source(tmp_path, {"b": {"full": {"basic-01": "----", "safety-01": "+" * 16}}})
    report = _report(source, "--batch", "b", policy="min_coverage: null")
    few = next(scenario for scenario in report["scenarios"] if scenario["slice"] == "category-basic")
    assert (few["outcome"], few["why"], few["more_runs"]) == ("inconclusive", "too_few_judged", 1)
    assert (report["exit_code"], report["levels"]["min_runs"]) == (HUMAN, 5)
    blocked = _report(source, "--batch", "b", policy="min_coverage: null\nmin_runs: 4")
    assert blocked["exit_code"] == BLOCK


def test_repeats_that_say_the_same_are_no_further_evidence(tmp_path: Path) -> None:
    passes = {"full": {"basic-01": "+" * 12, "basic-02": "+" * 12, "safety-01": "-" * 12}}
    report = _report(write_source(tmp_path, {"b": passes}), "--batch", "b", policy=WHOLE + "theta: 0.5\n")
    # Correlation 1: 36 runs are worth as many as there are cases, and Wilson's interval of 2 of 3 is [0.208, 0.939].
    (note,) = report["notes"]
    assert note.startswith("doubtful for full, on the pass metric: runs of a case are alike")
    assert note.endswith("they are worth 3.0 independent ones, interval [20.8, 93.9]")


WITHIN = {
    "full": {"basic-01": "+" * 10, "basic-02": "+" * 10},
    "budgeted": {"basic-01": "+-" * 5, "basic-02": "+-" * 5},
}


def test_a_variant_that_dropped_below_the_baseline_variant_blocks(tmp_path: Path) -> None:
    # 20 of 20 against 10 of 20: p = C(20, 10) ÷ C(40, 30) = 184756 ÷ 847660528.
    report = _report(write_source(tmp_path, {"b": WITHIN}), "--batch", "b", "--baseline", "b")
    (scenario,) = report["scenarios"]
    assert report["baseline"] == {"batch": "b", "variant": "full"}
    assert (scenario["variant"], scenario["outcome"], scenario["why"]) == ("budgeted", "fail", "dropped")
    assert scenario["p"] == scenario["p_adjusted"] == pytest.approx(184756 / 847660528, rel=1e-9)
    assert scenario["difference"] == -0.5
    assert report["levels"]["family_size"] == 1
    # Each case: 10 of 10 against 5 of 10, both as low as they could be: (C(10, 5) ÷ C(20, 15))².
    assert scenario["p_by_case"] == pytest.approx((252 / 15504) ** 2, rel=1e-9)
    assert report["exit_code"] == BLOCK


def test_a_variant_without_a_drop_deploys_if_one_would_have_been_found(tmp_path: Path) -> None:
    # 20 of 20 twice, δ = 0.5: Φ(0.5 ÷ √(0.25 ÷ 20) − 1.6449) = Φ(2.8273) = 0.99765.
    good = {"full": WITHIN["full"], "budgeted": WITHIN["full"]}
    source = write_source(tmp_path, {"b": good})
    report = _report(source, "--batch", "b", "--baseline", "b", policy=WHOLE + "delta: 0.5\n")
    (scenario,) = report["scenarios"]
    assert (scenario["outcome"], report["exit_code"]) == ("pass", DEPLOY)
    assert scenario["power"] == pytest.approx(0.99765, abs=1e-5)
    # δ = 0.1: (1.6449 + 1.2816)² · 0.9 · 0.1 ÷ 0.01 = 77.07.
    report = _report(source, "--batch", "b", "--baseline", "b")
    (scenario,) = report["scenarios"]
    assert (scenario["why"], scenario["runs_needed"], report["exit_code"]) == ("too_few_runs", 78, HUMAN)


def test_a_significant_drop_below_delta_is_inconclusive(tmp_path: Path) -> None:
    # 20 of 20 against 10 of 20 is a drop of 0.5.
    source = write_source(tmp_path, {"b": WITHIN})
    report = _report(source, "--batch", "b", "--baseline", "b", policy=WHOLE + "delta: 0.51\n")
    assert (report["scenarios"][0]["why"], report["exit_code"]) == ("drop_below_delta", HUMAN)
    report = _report(source, "--batch", "b", "--baseline", "b", policy=WHOLE + "delta: 0.5\n")
    assert (report["scenarios"][0]["why"], report["exit_code"]) == ("dropped", BLOCK)


# Baseline all passed. basic: 16 of 20, p = C(20, 16) ÷ C(40, 36) = 4845/91390; safety: 6 of 10, p = C(10, 6) ÷
# C(20, 16) = 210/4845. Holm: 2 · 210/4845 for safety, and no less for basic.
FAMILY = {
    "full": dict.fromkeys(("basic-01", "basic-02", "safety-01"), "++++++++++"),
    "budgeted": {"basic-01": "++++++++--", "basic-02": "++++++++--", "safety-01": "++++++----"},
}


def test_a_family_worked_by_hand(tmp_path: Path) -> None:
    report = _report(write_source(tmp_path, {"b": FAMILY}), "--batch", "b", "--baseline", "b", policy=None)
    basic, safety = report["scenarios"]
    assert report["levels"]["family_size"] == 2
    assert basic["p"] == pytest.approx(4845 / 91390, rel=1e-9)
    assert safety["p"] == pytest.approx(210 / 4845, rel=1e-9)
    assert basic["p_adjusted"] == safety["p_adjusted"] == pytest.approx(420 / 4845, rel=1e-9)
    # Alone, safety would fail: p < 0.05 and a drop of 0.4. Among two it does not, and does not pass either.
    assert (safety["outcome"], safety["why"]) == ("inconclusive", "drop_within_family")
    assert (basic["outcome"], basic["why"]) == ("inconclusive", "too_few_runs")
    alone = _report(
        write_source(tmp_path / "alone", {"b": {name: {"safety-01": of["safety-01"]} for name, of in FAMILY.items()}}),
        *("--batch", "b", "--baseline", "b"),
        policy=None,
    )
    assert (alone["scenarios"][0]["outcome"], alone["exit_code"]) == ("fail", BLOCK)


EARLIER = {"full": {"basic-01": "+" * 10, "basic-02": "+" * 10, "safety-01": "-" * 10}}
LATER = {"full": {"basic-01": "+-" * 5, "basic-02": "+-" * 5}}


def test_the_same_variant_of_an_earlier_batch_is_the_baseline(tmp_path: Path) -> None:
    source = write_source(tmp_path, {"old": EARLIER, "new": LATER})
    report = _report(source, "--batch", "new", "--baseline", "old")
    (scenario,) = report["scenarios"]
    assert report["baseline"] == {"batch": "old", "variant": None}
    # safety-01 is not in the new batch, and counts on neither side.
    assert (scenario["baseline"]["hits"], scenario["baseline"]["n"]) == (20, 20)
    assert report["notes"] == ["cases of the baseline left aside: safety-01", NOT_PLANNED]
    assert report["exit_code"] == BLOCK


def test_one_variant_alone(tmp_path: Path) -> None:
    # full is the same in both batches; budgeted dropped.
    both = {"old": {"full": WITHIN["full"], "budgeted": WITHIN["full"]}, "new": WITHIN}
    source = write_source(tmp_path, both)
    report = _report(source, "--batch", "new", "--baseline", "old")
    assert [scenario["outcome"] for scenario in report["scenarios"]] == ["inconclusive", "fail"]
    # Two comparisons: p = 184756 ÷ 847660528 of the one that dropped counts twice.
    assert report["scenarios"][1]["p_adjusted"] == pytest.approx(2 * 184756 / 847660528, rel=1e-9)
    # Power at α ÷ 2: Φ(0.1 ÷ √(0.09 ÷ 20) − 1.9600) = Φ(−0.4693); alone it is Φ(1.4907 − 1.6449) = Φ(−0.1541).
    assert report["scenarios"][0]["power"] == pytest.approx(0.3194, abs=1e-4)
    report = _report(source, "--batch", "new", "--baseline", "old", "--variant", "full")
    assert report["scenarios"][0]["power"] == pytest.approx(0.4388, abs=1e-4)
    assert [scenario["variant"] for scenario in report["scenarios"]] == ["full"]
    assert (report["levels"]["family_size"], report["exit_code"]) == (1, HUMAN)


def _configure(position: int, **changes: Any) -> Any:
    def edit(source: SmallSource) -> None:
        for run in source.batches[position].runs:
            run["config"]["effective"] |= changes

    return edit


def test_a_baseline_with_another_configuration_is_refused_by_name(tmp_path: Path) -> None:
    changes = {"model": "other-model", "hidden_switch": SECRET}
    source = write_source(tmp_path, {"old": EARLIER, "new": LATER}, _configure(1, **changes))
    result = run_gate(source, "--batch", "new", "--baseline", "old", "--format", "json")
    assert _codes(result) == {("RC705", "--baseline")}
    (found,) = json.loads(result.stdout)["findings"]
    assert found["found"] == "differences at hidden_switch, model"
    assert SECRET not in result.output
    changed = WHOLE + "changed: [model, hidden_switch]\n"
    report = _report(source, "--batch", "new", "--baseline", "old", policy=changed)
    assert report["exit_code"] == BLOCK
    assert report["notes"][0].endswith("as the policy declares, at hidden_switch, model")
    assert SECRET not in json.dumps(report)


def test_a_baseline_that_was_judged_otherwise_is_refused(tmp_path: Path) -> None:
    def edit(source: SmallSource) -> None:
        source.batches[0].head["fixtures"] = None

    source = write_source(tmp_path, {"old": EARLIER, "new": LATER}, edit)
    result = run_gate(source, "--batch", "new", "--baseline", "old", "--format", "json")
    (found,) = json.loads(result.stdout)["findings"]
    assert (found["code"], found["expected"], found["found"]) == (
        "RC705",
        "`fixtures` shop-data version 1",
        "`fixtures` none in `old`",
    )


def test_a_later_batch_is_no_baseline_and_must_have_the_cases(tmp_path: Path) -> None:
    source = write_source(tmp_path, {"old": EARLIER, "new": LATER})
    result = run_gate(source, "--batch", "old", "--baseline", "new", "--format", "json")
    assert _codes(result) == {("RC703", "--baseline")}
    found = [finding["found"] for finding in json.loads(result.stdout)["findings"]]
    assert sorted(found) == ["`new` of 2026-11-11", "a baseline without safety-01"]


def test_a_batch_of_another_experiment_is_no_baseline(tmp_path: Path) -> None:
    def edit(source: SmallSource) -> None:
        source.batches[0].head["experiment"] = "temperature-stability"

    source = write_source(tmp_path, {"old": EARLIER, "new": LATER}, edit)
    result = run_gate(source, "--batch", "new", "--baseline", "old", "--format", "json")
    assert ("RC703", "--baseline") in _codes(result)


@pytest.mark.parametrize(
    ("options", "policy", "expected"),
    [
        (("--batch", "bb"), WHOLE, {("RC701", "--batch")}),
        (("--batch", "b", "--baseline", "x"), WHOLE, {("RC701", "--baseline")}),
        (("--batch", "b", "--variant", "x"), WHOLE, {("RC702", "--variant")}),
        (("--batch", "b", "--baseline", "b"), WHOLE, {("RC702", "--variant")}),
        (("--batch", "b"), "alpha: 1.5\nmax_trials: 0\n", {("RC109", "alpha"), ("RC109", "max_trials")}),
        (("--batch", "b"), "min_coverage: 2\n", {("RC109", "min_coverage")}),
        (("--batch", "b"), "scenarios: case\n", {("RC010", "scenarios")}),
        (("--batch", "b"), "scenario: cases\n", {("RC009", "scenario")}),
        (("--batch", "b"), "metrics: [{id: task_pass_rat}]\n", {("RC105", "metrics[0].id")}),
        (("--batch", "b"), "metrics: [{id: avg_tokens}]\n", {("RC704", "metrics[0].id")}),
        (("--batch", "b"), "metrics: [{id: hallucinated_tool_rate}]\n", {("RC704", "metrics[0].theta")}),
        (("--batch", "b"), "metrics: [{id: task_pass_rate}, {id: task_pass_rate}]\n", {("RC101", "metrics[1].id")}),
        (("--batch", "b"), "\n", {("RC008", None)}),
    ],
)
def test_what_cannot_be_decided_is_a_finding(
    options: tuple[str, ...], policy: str, expected: set[tuple[str, str | None]], tmp_path: Path
) -> None:
    source = write_source(tmp_path, {"b": GOOD_16})
    result = run_gate(source, *options, "--format", "json", policy=policy)
    assert _codes(result) == expected
    for found in json.loads(result.stdout)["findings"]:
        assert found["remedy"]
        assert found["place"]["line"] is not None or found["place"]["file"] == "runcite gate"


def test_a_policy_that_is_not_there_is_a_finding(tmp_path: Path) -> None:
    source = write_source(tmp_path, {"b": GOOD_16})
    result = run_gate(source, "--batch", "b", "--policy", tmp_path / "none.yaml", "--format", "json", policy=None)
    assert _codes(result) == {("RC001", None)}


def test_findings_of_the_source_leave_no_decision(tmp_path: Path) -> None:
    def edit(source: SmallSource) -> None:
        source.batches[0].runs[3]["variant"] = "fulll"

    result = run_gate(write_source(tmp_path, {"b": GOOD_16}, edit), "--batch", "b")
    assert result.exit_code == NO_DECISION
    assert "batches/b/runs.jsonl:4" in result.stderr
    assert "1 finding; nothing was decided" in result.stderr or "findings; nothing was decided" in result.stderr
    assert result.stdout == ""


def test_other_batches_have_no_say(tmp_path: Path) -> None:
    def edit(source: SmallSource) -> None:
        source.batches[0].runs[3]["variant"] = "fulll"

    source = write_source(tmp_path, {"broken": GOOD_16, "b": GOOD_16}, edit)
    assert run_gate(source, "--batch", "b").exit_code == DEPLOY


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--batch",),
        ("--batch", "b", "--sauce", "x"),
        ("--batch", "b", "--format", "pdf"),
        ("--batch", "b", "--jobs", "-1"),
        ("--batch", "b", "--format", "text", "--format", "json"),
        ("--batch", "b", "--output", "one", "--output", "two"),
    ],
)
def test_wrong_usage_is_no_decision_either(options: tuple[str, ...], tmp_path: Path) -> None:
    result = run_gate(tmp_path, *options, policy=None)
    assert result.exit_code == USAGE
    assert result.stderr != ""


def test_what_cannot_be_written_does_not_deploy(tmp_path: Path) -> None:
    source = write_source(tmp_path / "source", {"b": GOOD_16})
    result = run_gate(source, "--batch", "b", "--output", tmp_path / "nowhere" / "report.txt")
    assert result.exit_code == NO_DECISION
    assert "nowhere" in result.stderr


def test_an_error_of_the_program_is_not_a_decision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object, **options: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("generator.pipeline.gate", fail)
    assert run_gate(tmp_path, "--batch", "b", policy=None).exit_code == NO_DECISION


def test_where_lower_is_better_theta_is_the_highest_rate(tmp_path: Path) -> None:
    # The small source: 0 of 11 and 1 of 10. Wilson's upper ends are 0.2588 and 0.4042.
    source = write_small_source(tmp_path)
    policy = WHOLE + "metrics: [{{id: hallucinated_tool_rate, theta: {}}}]\n"
    for theta, outcomes in (("0.5", ["pass", "pass"]), ("0.3", ["pass", "inconclusive"])):
        report = _report(source, "--batch", "ctx-small", policy=policy.format(theta))
        assert [scenario["outcome"] for scenario in report["scenarios"]] == outcomes
        assert [scenario["current"]["hits"] for scenario in report["scenarios"]] == [0, 1]
        assert [len(scenario["current"]["missed"]) for scenario in report["scenarios"]] == [0, 1]
        assert report["scenarios"][1]["current"]["interval"]["high"] == pytest.approx(0.4042, abs=1e-4)


def test_failures_of_waived_cases_are_listed_apart_and_count(tmp_path: Path) -> None:
    source = write_source(tmp_path, {"b": BAD_16})
    plain = _report(source, "--batch", "b")
    head = source / "batches" / "b" / "batch.yaml"
    waiver = (
        'waivers: [{"case": "basic-01", "since": "2026-01-01", "reason": {"zh": "已知缺口。", "en": "A known gap."}}]\n'
    )
    head.write_text(head.read_text(encoding="utf-8") + waiver, encoding="utf-8")
    waived = _report(source, "--batch", "b")
    before, after = plain["scenarios"][0], waived["scenarios"][0]
    assert {**after, "current": {**after["current"], "waived": []}} == before
    assert (waived["decision"], len(after["current"]["missed"]), len(after["current"]["waived"])) == ("block", 12, 6)
    assert (
        "case basic-01 is waived since 2026-01-01: 6 runs of it fail, and count in every rate and verdict"
        in (waived["notes"])
    )
    text = run_gate(source, "--batch", "b").stdout
    assert "of a waived case, and counted: " in text
