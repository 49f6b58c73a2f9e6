"""promptfoo results: repeats without an index, targets, cached results, latencies, headlines."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from generator.model.imported import ImportedBatch
from generator.model.runs import Run
from tests.read.importers.support import imported, refused
from tests.support.foreign import SECRETS, write_json
from tests.support.foreign_promptfoo import promptfoo_file, promptfoo_row

Row = dict[str, Any]


def of(folder: Path, *rows: Row, counts: tuple[tuple[int, int, int], ...] = (), **options: Any) -> ImportedBatch:
    path = write_json(folder / "output.json", promptfoo_file(list(rows), *counts))
    return imported("promptfoo", path, **({"date": None} | options))


def only(folder: Path, **changes: Any) -> Run:
    (run,) = of(folder, promptfoo_row(**changes)).runs
    return run


def test_a_result(tmp_path: Path) -> None:
    run = only(tmp_path)
    assert (run.run_id, run.case_id, run.repeat_index, run.state) == ("row-0-0", "capital/france #1", 0, "COMPLETE")
    assert (run.answer, run.trace) == ("Paris", None)
    assert run.extra == {"passed": True, "score": 1}
    assert run.usage is not None
    assert (run.usage.prompt_tokens, run.usage.completion_tokens, run.usage.cost_usd) == (20, 3, 0.0002)
    assert run.timing is not None
    assert run.timing.duration_ms == 39
    target = run.config.effective["target"]
    assert isinstance(target, dict)
    assert (target["model"], target["sampling"]) == ("small", {"temperature": 0.5})
    assert "never tell" not in json.dumps(run.config.effective)


@pytest.mark.parametrize("secret", SECRETS)
def test_no_secret_is_handed_on(tmp_path: Path, secret: str) -> None:
    crash = promptfoo_row(
        1, failureReason=2, error="Error: x\n at SECRET-TRACEBACK", response={"error": "SECRET-TRACEBACK"}
    )
    failed = promptfoo_row(2, success=False, metadata={"m": "SECRET-RAW-DATA"})
    failed["provider"] |= {"config": {"headers": "SECRET-LAUNCH-KEY"}}
    batch = of(tmp_path, promptfoo_row(), crash, failed)
    assert secret.encode() not in msgspec.json.encode(batch)


@pytest.mark.parametrize(
    ("changes", "state", "reason", "passed"),
    [
        ({}, "COMPLETE", None, True),
        ({"success": False}, "COMPLETE", None, False),
        ({"success": False, "failureReason": 2, "error": "API error: 503"}, "INVALID", "harness_error", False),
        ({"success": False, "failureReason": 2, "error": "API error: 429 Too Many"}, "INVALID", "rate_limited", False),
        (
            {"success": False, "failureReason": 2, "error": "Error: timed out\n  at ProviderRateLimitState.run"},
            "INVALID",
            "harness_error",
            False,
        ),
        (
            {"success": False, "failureReason": None, "error": "x", "gradingResult": None},
            "INVALID",
            "harness_error",
            False,
        ),
        ({"success": False, "failureReason": None, "error": "x"}, "COMPLETE", None, False),
    ],
)
def test_an_error_text_alone_is_no_crash(
    tmp_path: Path, changes: dict[str, Any], state: str, reason: str | None, passed: bool
) -> None:
    run = only(tmp_path, **changes)
    assert (run.state, run.reason, run.extra["passed"]) == (state, reason, passed)


def test_repeats_are_counted_by_test_index_within_target_and_case(tmp_path: Path) -> None:
    other = {"description": "other", "assert": []}
    rows = [
        promptfoo_row(5),
        promptfoo_row(3, testCase=other),
        promptfoo_row(1),
        promptfoo_row(1, 1, provider="plain-name"),
        promptfoo_row(3, id="row-of-beta", promptIdx=1, provider="plain-name"),
    ]
    runs = {run.run_id: (run.variant, run.case_id, run.repeat_index) for run in of(tmp_path, *rows).runs}
    assert {run_id: (case, repeat) for run_id, (_, case, repeat) in runs.items()} == {
        "row-1-0": ("capital/france #1", 0),
        "row-5-0": ("capital/france #1", 1),
        "row-3-0": ("other", 0),
        "row-1-1": ("capital/france #1", 0),
        "row-of-beta": ("capital/france #1", 1),
    }
    assert len({variant for variant, _, _ in runs.values()}) == 2


def test_runs_keep_the_order_of_the_file_across_targets(tmp_path: Path) -> None:
    rows = [promptfoo_row(test, index) for test in (0, 1) for index in (0, 1)]
    for row in rows:
        row["prompt"] = {"raw": "x", "label": f"prompt-{row['promptIdx']}"}
    assert [run.run_id for run in of(tmp_path, *rows).runs] == ["row-0-0", "row-0-1", "row-1-0", "row-1-1"]


def test_providers_under_prompts_are_compared_as_targets(tmp_path: Path) -> None:
    prompts = [{"raw": "x", "label": name} for name in ("short.txt", "long.txt")]
    providers = [{"id": "a:b", "label": "one"}, {"id": "file:///home/me/secret/two.js?key=k"}]
    rows = [
        promptfoo_row(0, 2 * first + second, provider=provider, prompt=prompt)
        for first, provider in enumerate(providers)
        for second, prompt in enumerate(prompts)
    ]
    batch = of(tmp_path, *rows)
    assert batch.experiment.independent_variable == "target"
    assert batch.differs == []
    assert [variant.name.en for variant in batch.experiment.variants] == [
        "one, short.txt",
        "one, long.txt",
        "two.js, short.txt",
        "two.js, long.txt",
    ]


def test_one_provider_under_two_prompts_is_an_experiment_about_the_prompt(tmp_path: Path) -> None:
    rows = [promptfoo_row(0, index, prompt={"raw": "x", "label": label}) for index, label in enumerate(("a", "b"))]
    assert of(tmp_path, *rows).experiment.independent_variable == "target.prompt"


def test_cases_of_equal_or_no_description(tmp_path: Path) -> None:
    rows = [
        promptfoo_row(0, vars={"q": "a"}),
        promptfoo_row(1, vars={"q": "b"}),
        promptfoo_row(2, vars={"q": "b"}),
        promptfoo_row(3, testCase={}),
    ]
    cases = [run.case_id for run in of(tmp_path, *rows).runs]
    assert cases[0] != cases[1] == cases[2]
    assert all(case.startswith("capital/france #1 ") for case in cases[:3])
    assert cases[3].startswith("vars-")


@pytest.mark.parametrize(
    ("response", "cached"),
    [
        ({"output": "x", "cached": True, "tokenUsage": {"prompt": 1, "completion": 1, "total": 2}}, True),
        ({"output": "x", "tokenUsage": {"cached": 3051, "total": 3051}}, True),
        ({"output": "x", "tokenUsage": {"prompt": 0, "completion": 0, "cached": 9, "total": 9}}, True),
        ({"output": "x", "tokenUsage": {"prompt": 5, "completion": 4, "cached": 0, "total": 9}}, False),
    ],
)
def test_a_cached_result_has_no_telemetry(tmp_path: Path, response: dict[str, Any], cached: bool) -> None:
    run = only(tmp_path, response=response)
    assert run.usage is not None
    assert run.usage.cached == cached
    assert (run.usage.prompt_tokens is None, run.usage.cost_usd is None, run.timing is None) == (cached,) * 3


@pytest.mark.parametrize(
    ("latency", "kept"), [(2147483647, None), (None, None), (-1, None), (1e18, None), ("12", None), (0, 0), (3.5, 3.5)]
)
def test_latencies(tmp_path: Path, latency: Any, kept: float | None) -> None:
    timing = only(tmp_path, latencyMs=latency).timing
    assert (None if timing is None else timing.duration_ms) == kept


def test_an_id_that_two_results_have_is_refused_with_both_places(tmp_path: Path) -> None:
    path = write_json(tmp_path / "output.json", promptfoo_file([promptfoo_row(0), promptfoo_row(1, id="row-0-0")]))
    (finding,) = refused("promptfoo", path)
    assert (finding.code, finding.place.field) == ("RC504", "results[1]")
    assert "results[0]" in finding.found
    assert len(imported("promptfoo", path, duplicates="first").runs) == 1


def test_json_lines_need_a_date_and_have_the_same_runs(tmp_path: Path) -> None:
    rows = [promptfoo_row(0), promptfoo_row(1, success=False)]
    path = tmp_path / "output.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (finding,) = refused("promptfoo", path, date=None)
    assert finding.code == "RC506"
    ids = [run.run_id for run in of(tmp_path, *rows).runs]
    assert [run.run_id for run in imported("promptfoo", path).runs] == ids


def test_a_headline_counts_crashes(tmp_path: Path) -> None:
    crash = promptfoo_row(2, success=False, failureReason=2, error="503")
    (own,) = of(
        tmp_path, promptfoo_row(0), promptfoo_row(1, success=False), crash, counts=((1, 1, 1),)
    ).batch.published_aggregates
    assert (own.name, own.value, own.numerator, own.denominator) == ("pass rate", "0.333333333333", 1, 3)
    assert own.stated == "33.33%"
    assert own.reasons == ["errors_counted"]


def test_a_headline_of_more_runs_than_the_file_holds(tmp_path: Path) -> None:
    (own,) = of(tmp_path, promptfoo_row(0), counts=((9, 3, 0),)).batch.published_aggregates
    assert own.reasons == ["other_runs"]


def test_chat_prompts_are_messages(tmp_path: Path) -> None:
    raw = json.dumps([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "What?"}])
    context = only(tmp_path, prompt={"raw": raw, "label": "prompt.mjs"}).context
    assert context is not None
    assert [(entry.region, entry.text) for entry in context.entries] == [
        ("instruction", "Be brief."),
        ("data", "What?"),
    ]


def test_other_shapes(tmp_path: Path) -> None:
    others: list[Any] = [{"results": {}}, {"results": {"results": [1]}}, 5, [1]]
    for content in others:
        (finding,) = refused("promptfoo", write_json(tmp_path / "x.json", content))
        assert finding.code == "RC502"
    (empty,) = refused("promptfoo", write_json(tmp_path / "x.json", promptfoo_file([])))
    assert empty.code == "RC507"
