"""Every rule of a single run, broken by one edit. The first line is basic-01 × budgeted × 1."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from generator.read.source import read_source
from generator.validate.runs import make_run_rules
from tests.support.checking import findings_of
from tests.support.small_source import SmallSource, small_source, write_small_source
from tests.validate.rule_cases import RuleCase, both, put

Dict = dict[str, Any]
FIRST = "batches/ctx-small/runs.jsonl:1  run ctx-small-0001  "


def _run(source: SmallSource) -> Dict:
    return source.batch.runs[0]


def _invalid(source: SmallSource) -> Dict:
    return source.batch.cell("basic-01", "budgeted", 3)


def _invalid_place() -> str:
    run = _invalid(small_source())
    return f"batches/ctx-small/runs.jsonl:{run['sequence']}  run {run['run_id']}  reason"


def _config(source: SmallSource) -> Dict:
    config: Dict = _run(source)["config"]
    return config


CASES = [
    RuleCase(
        "blank id",
        put(_run, "run_id", " "),
        [("RC201", "batches/ctx-small/runs.jsonl:1  run_id")],
    ),
    RuleCase(
        "id of two lines",
        put(_run, "run_id", "a\nb"),
        [("RC201", "batches/ctx-small/runs.jsonl:1  run a⟦U+000A⟧b  run_id")],
    ),
    RuleCase(
        "id with a lone surrogate",
        put(_run, "run_id", "a\ud800"),
        [("RC201", "batches/ctx-small/runs.jsonl:1  run a⟦U+D800⟧  run_id")],
    ),
    RuleCase(
        "id of 1001 characters",
        put(_run, "run_id", "x" * 1001),
        [("RC201", f"batches/ctx-small/runs.jsonl:1  run {'x' * 79}…  run_id")],
    ),
    RuleCase(
        "id that looks like a redaction",
        put(_run, "run_id", "⟦已脱敏：邮箱⟧"),
        [("RC201", "batches/ctx-small/runs.jsonl:1  run ⟦已脱敏：邮箱⟧  run_id")],
    ),
    RuleCase("source run id of two lines", put(_run, "source_run_id", "a\nb"), [("RC201", f"{FIRST}source_run_id")]),
    RuleCase("source run id that is blank", put(_run, "source_run_id", ""), [("RC201", f"{FIRST}source_run_id")]),
    RuleCase("reason of a complete run", put(_run, "reason", "bored"), [("RC205", f"{FIRST}reason")]),
    RuleCase("invalid without a reason", put(_invalid, "reason", None), [("RC205", _invalid_place())]),
    RuleCase("reason in prose", put(_invalid, "reason", "Rate limited!"), [("RC205", _invalid_place())]),
    RuleCase(
        "configuration with an integer beyond 2^53",
        both(
            put(_run, "config_hash", "sha256:" + "0" * 64),
            put(lambda s: _config(s)["effective"]["limits"], "big", 2**60),
        ),
        [
            ("RC206", FIRST + "config.effective.limits"),
            ("RC315", "batches/ctx-small/runs.jsonl:5  run ctx-small-0005  config.effective"),
        ],
    ),
    RuleCase(
        "hash of another configuration",
        put(_run, "config_hash", "sha256:" + "0" * 64),
        [("RC207", f"{FIRST}config_hash")],
    ),
    RuleCase("hash without its name", put(_run, "config_hash", "0" * 64), [("RC207", f"{FIRST}config_hash")]),
    RuleCase(
        "a missing time with a value",
        put(lambda s: _run(s)["timing"], "censored", "missing"),
        [("RC211", f"{FIRST}timing.duration_ms")],
    ),
    RuleCase(
        "negative tokens and duration",
        both(
            put(lambda s: _run(s)["usage"], "prompt_tokens", -1),
            put(lambda s: _run(s)["timing"], "duration_ms", -0.5),
            put(lambda s: _run(s)["trace"][0], "completion_tokens", -2),
            put(lambda s: _run(s)["trace"][1], "duration_ms", -3),
        ),
        [
            ("RC208", f"{FIRST}timing.duration_ms"),
            ("RC208", f"{FIRST}trace[0].completion_tokens"),
            ("RC208", f"{FIRST}trace[1].duration_ms"),
            ("RC208", f"{FIRST}usage.prompt_tokens"),
        ],
    ),
    RuleCase(
        "time of an unknown zone",
        put(lambda s: _run(s)["timing"], "started_at", "2026-11-20T08:01:00"),
        [("RC209", f"{FIRST}timing.started_at")],
    ),
    RuleCase(
        "day that is not there",
        put(lambda s: _run(s)["trace"][0], "started_at", "2026-02-30T08:01:00Z"),
        [("RC209", f"{FIRST}trace[0].started_at")],
    ),
    RuleCase(
        "end before the start",
        put(lambda s: _run(s)["timing"], "ended_at", "2026-11-20T08:00:59.999Z"),
        [("RC209", f"{FIRST}timing.ended_at")],
    ),
    RuleCase("reward in words", put(_run, "extra", {"reward": "1"}), [("RC210", f"{FIRST}extra.reward")]),
    RuleCase("a repeated verdict alone", put(_run, "extra", {"verdicts": True}), [("RC210", f"{FIRST}extra.verdicts")]),
    RuleCase("verdict as a number", put(_run, "extra", {"passed": 1}), [("RC210", f"{FIRST}extra.passed")]),
]


def _cell_cases() -> list[RuleCase]:
    """A run with an unknown cell leaves its own cell empty, which is not held against the batch yet."""
    waits = ("RC321", "batches/ctx-small/runs.jsonl")
    return [
        RuleCase("unknown variant", put(_run, "variant", "ful"), [("RC202", f"{FIRST}variant"), waits]),
        RuleCase("unknown case", put(_run, "case_id", "basic-9"), [("RC203", f"{FIRST}case_id"), waits]),
        RuleCase("repeat index too large", put(_run, "repeat_index", 4), [("RC204", f"{FIRST}repeat_index"), waits]),
        RuleCase("repeat index below 0", put(_run, "repeat_index", -1), [("RC204", f"{FIRST}repeat_index"), waits]),
        RuleCase("sequence below 0", put(_run, "sequence", -1), [("RC208", f"{FIRST}sequence")]),
    ]


CASES += _cell_cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_broken_rule_is_found_where_it_is(case: RuleCase, tmp_path: Path) -> None:
    findings = findings_of(write_small_source(tmp_path, case.edit))
    assert [(finding.code, str(finding.place)) for finding in findings] == case.expected


@pytest.mark.parametrize("run_id", ["a/b", "运行-1", "x" * 300, "..", "CON", "a\u202eb", "e\u0301", "🙂", "index"])
def test_any_unicode_id_is_accepted(run_id: str, tmp_path: Path) -> None:
    assert findings_of(write_small_source(tmp_path, put(_run, "run_id", run_id))) == []


def test_text_of_an_unknown_variant_lists_every_option(tmp_path: Path) -> None:
    findings = findings_of(write_small_source(tmp_path, put(_run, "variant", "ful")))
    assert str(findings[0]) == (
        "batches/ctx-small/runs.jsonl:1  run ctx-small-0001  variant  RC202 variant is one of the experiment's\n"
        "  expected one of full, budgeted, found `ful`\n"
        "  did you mean `full`? If not, correct the variant, or register it in the experiment "
        "`context-strategy-comparison`"
    )


def test_reasons_of_runs_are_not_quoted(tmp_path: Path) -> None:
    (finding,) = findings_of(write_small_source(tmp_path, put(_invalid, "reason", "the key sk-123 ran dry")))
    assert "sk-123" not in str(finding)
    assert "rate_limited, insufficient_balance, model_unavailable" in finding.expected


def test_equal_configurations_have_one_hash_however_they_are_written(tmp_path: Path) -> None:
    def edit(source: SmallSource) -> None:
        effective = _config(source)["effective"]
        _config(source)["effective"] = dict(reversed(effective.items())) | {
            "sampling": {"max_tokens": 2048.0, "temperature": 0.0}
        }

    assert findings_of(write_small_source(tmp_path, edit)) == []


def test_what_runs_may_name_is_gathered_once_a_batch(tmp_path: Path) -> None:
    source, _ = read_source(write_small_source(tmp_path))
    assert source is not None
    (batch,) = source.batches
    rules = make_run_rules(batch, source)
    assert list(rules.variants or ()) == ["full", "budgeted"]
    assert sorted(rules.cases or ()) == ["basic-01", "basic-02", "safety-01"]
    assert (rules.file, rules.repeats) == (batch.runs.name, 4)
    unknown = make_run_rules(batch, msgspec.structs.replace(source, experiments={}, case_banks={}))
    assert (unknown.variants, unknown.cases) == (None, None)
