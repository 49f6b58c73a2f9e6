"""Inspect logs: states, scores, headlines, archives."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from generator.model.imported import ImportedBatch
from generator.model.runs import Run
from tests.read.importers.support import imported, refused, tool_calls
from tests.support.foreign import SECRETS, write_json
from tests.support.foreign_inspect import (
    DEFLATED,
    STORED,
    SYSTEM,
    ZSTANDARD,
    headline,
    inspect_log,
    inspect_sample,
    write_archive,
    write_zip,
)


def of(folder: Path, *samples: dict[str, Any], **changes: Any) -> ImportedBatch:
    return imported("inspect", write_json(folder / "log.json", inspect_log(list(samples), **changes)), date=None)


def only(folder: Path, **changes: Any) -> Run:
    (run,) = of(folder, inspect_sample(**changes)).runs
    return run


def test_a_sample(tmp_path: Path) -> None:
    run = only(tmp_path, epoch=1)
    assert (run.run_id, run.case_id, run.repeat_index, run.state) == ("uuid-a/1-1", "a/1", 0, "COMPLETE")
    assert run.answer == "It has shipped."
    assert run.turns == 2
    (call,) = tool_calls(run)
    assert (call.tool, call.arguments, call.status, call.result) == ("lookup", {"id": "77"}, "ok", "shipped on Monday")
    assert run.context is not None
    assert [entry.text for entry in run.context.entries] == [SYSTEM, "Check.\n[image]"]
    assert run.usage is not None
    assert (run.usage.prompt_tokens, run.usage.completion_tokens) == (30, 4)
    assert run.timing is not None
    assert run.timing.duration_ms == 500
    assert run.extra == {"reward": 1, "scores": {"tone": 0.4}}


def test_the_configuration_names_solvers_and_passes_few_arguments(tmp_path: Path) -> None:
    run = only(tmp_path)
    assert run.config.effective == {
        "harness": "inspect",
        "model": "m/one",
        "agent": {"implementation": "generate"},
        "sampling": {"temperature": 0.5},
        "limits": {"message_limit": 12},
        "task_args": {"difficulty": "hard"},
        "environment_info": {"domain_name": "orders", "policy": SYSTEM},
    }
    batch = of(tmp_path, inspect_sample())
    assert batch.batch.variant_catalogs == {"m-one": ["lookup", "refund"]}
    assert any("may hold keys" in note.en for note in batch.batch.notes)


@pytest.mark.parametrize("secret", SECRETS)
def test_no_secret_is_handed_on(tmp_path: Path, secret: str) -> None:
    crashed = inspect_sample(
        "b", error={"message": "RuntimeError('SECRET-TRACEBACK')", "traceback": "SECRET-TRACEBACK"}
    )
    written = inspect_log([inspect_sample(input="SECRET-USER-SCRIPT"), crashed])
    batch = imported("inspect", write_json(tmp_path / "log.json", written))
    assert secret.encode() not in msgspec.json.encode(batch)
    assert secret in (tmp_path / "log.json").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("changes", "state", "reason", "verdict"),
    [
        ({}, "COMPLETE", None, {"reward": 1}),
        ({"limit": {"type": "message", "limit": 12}}, "FAILED", "message_limit", {"reward": 1}),
        ({"limit": {"type": "token"}, "scores": {}}, "FAILED", "token_limit", {"reward": None}),
        ({"limit": {"type": "An Odd One"}}, "FAILED", "limit", {"reward": 1}),
        ({"error": {"message": "ValueError('x')"}}, "INVALID", "harness_error", {"reward": 1}),
        ({"error": {"message": "RuntimeError('Error code: 429 - …')"}}, "INVALID", "rate_limited", {"reward": 1}),
        ({"error": {"message": "CancelledError()"}, "scores": None}, "CANCELLED", "cancelled", {}),
        ({"value": "NaN"}, "COMPLETE", None, {}),
        ({"value": "I"}, "COMPLETE", None, {"reward": 0}),
        ({"value": "P"}, "COMPLETE", None, {"reward": 0.5}),
        ({"value": True}, "COMPLETE", None, {"reward": 1}),
        ({"value": {"a": 1}}, "COMPLETE", None, {}),
        ({"error_retries": [{"message": "x"}, {}]}, "COMPLETE", None, {"reward": 1, "error_retries": 2}),
    ],
)
def test_states_and_verdicts(
    tmp_path: Path, changes: dict[str, Any], state: str, reason: str | None, verdict: dict[str, Any]
) -> None:
    # The first sample keeps its score, so that the log has a score to be named.
    run = of(tmp_path, inspect_sample("z"), inspect_sample(**changes)).runs[-1]
    assert (run.state, run.reason) == (state, reason)
    assert {key: value for key, value in run.extra.items() if key != "scores"} == verdict


def test_a_call_that_was_no_json_and_a_tool_that_failed(tmp_path: Path) -> None:
    messages = [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "c", "function": "lookup", "arguments": {}, "parse_error": "no JSON"}],
        },
        {"role": "tool", "tool_call_id": "c", "content": "", "error": {"type": "parsing", "message": "attachment://e"}},
    ]
    (call,) = tool_calls(only(tmp_path, messages=messages, attachments={"e": "Error parsing"}))
    assert (call.status, call.error, call.result) == ("error", "Error parsing", None)


@pytest.mark.parametrize(
    ("used", "completion"),
    [
        ({"input_tokens": 47, "output_tokens": 1, "total_tokens": 451, "reasoning_tokens": 403}, 404),
        ({"input_tokens": 47, "output_tokens": 500, "total_tokens": 547, "reasoning_tokens": 403}, 500),
        ({"input_tokens": 47, "output_tokens": 5, "total_tokens": 152, "input_tokens_cache_read": 100}, 5),
    ],
)
def test_reasoning_is_part_of_what_the_model_wrote(tmp_path: Path, used: dict[str, int], completion: int) -> None:
    """Some providers count it within the output, some beside it; the total tells which."""
    usage = only(tmp_path, model_usage={"m/one": used}).usage
    assert usage is not None
    assert (usage.prompt_tokens, usage.completion_tokens) == (47, completion)


def test_old_logs_have_ids_of_batch_file_case_and_epoch(tmp_path: Path) -> None:
    run = only(tmp_path, case=8, epoch=2, uuid=None)
    assert (run.run_id, run.case_id, run.repeat_index) == ("a-batch/log/8/2", "8", 1)


@pytest.mark.parametrize(
    ("field", "value", "expected"), [("id", None, "the sample's id"), ("epoch", 0, "a whole number from 1")]
)
def test_a_sample_that_cannot_be_placed(tmp_path: Path, field: str, value: Any, expected: str) -> None:
    log = inspect_log([inspect_sample()])
    log["samples"][0][field] = value
    (finding,) = refused("inspect", write_json(tmp_path / "log.json", log))
    assert (finding.code, finding.place.field, finding.expected) == ("RC503", f"samples[0].{field}", expected)


def test_the_plan_is_the_list_of_ids_by_epochs(tmp_path: Path) -> None:
    log = inspect_log([inspect_sample("a", 1), inspect_sample("b", 2)], status="cancelled")
    log["eval"]["dataset"]["sample_ids"] = ["a", "b", "c"]
    batch = imported("inspect", write_json(tmp_path / "log.json", log))
    assert batch.batch.planned.cases == ["a", "b", "c"]
    assert len(batch.batch.skipped) == 3 * 2 - 2
    assert any("was cancelled" in note.en for note in batch.batch.notes)


def test_a_list_of_ids_that_the_samples_do_not_have_is_no_plan(tmp_path: Path) -> None:
    log = inspect_log([inspect_sample("a")])
    log["eval"]["dataset"]["sample_ids"] = [1, 2, 3]
    assert imported("inspect", write_json(tmp_path / "log.json", log)).batch.planned.cases == ["a"]


def test_integers_in_one_file_are_the_strings_of_another(tmp_path: Path) -> None:
    logs = [
        write_json(tmp_path / f"{position}.json", inspect_log([inspect_sample(case, uuid=model, input="x")], model))
        for position, (case, model) in enumerate([(7, "m/one"), ("7", "m/two")])
    ]
    batch = imported("inspect", *logs)
    assert [case.id for case in batch.bank.cases] == ["7"]
    assert [variant.id for variant in batch.experiment.variants] == ["m-one", "m-two"]


def test_a_headline_that_is_reduced_first(tmp_path: Path) -> None:
    # Case a: 1 of 2. Case b: 1 of 1, its second run had no score. Inspect: (1/2 + 1) / 2 = 0.75. Over runs: 2 of 3.
    samples = [
        inspect_sample("a", 1),
        inspect_sample("a", 2, "I"),
        inspect_sample("b", 1),
        inspect_sample("b", 2, "NaN"),
    ]
    results = {"total_samples": 4, "scores": [headline(0.75, 2)]}
    (own,) = of(tmp_path, *samples, results=results).batch.published_aggregates
    assert (own.metric, own.variant, own.name, own.value) == ("task_pass_rate", "m-one", "exact/accuracy", "0.75")
    assert (own.denominator, own.file) == (2, "log.json")
    assert own.reasons == ["reduced_first", "unscored_dropped"]


@pytest.mark.parametrize(
    ("value", "total", "expected", "stated", "reasons"),
    [
        (0.75, 2, "0.75", None, ["partial_credit"]),
        (75.0, 2, "0.75", "75.0", ["partial_credit"]),
        (0.9, 2, "0.9", None, []),
        (0.9, 40, "0.9", None, ["other_runs"]),
    ],
)
def test_headlines_and_their_reasons(
    tmp_path: Path, value: float, total: int, expected: str, stated: str | None, reasons: list[str]
) -> None:
    results = {"total_samples": total, "scores": [headline(value)]}
    (own,) = of(tmp_path, inspect_sample("a"), inspect_sample("b", 1, "P"), results=results).batch.published_aggregates
    assert (own.value, own.stated, own.reasons) == (expected, stated, reasons)


def test_the_log_s_own_reductions_go_before_means(tmp_path: Path) -> None:
    """A reducer that takes the best of the repeats."""
    reductions = [{"scorer": "exact", "samples": [{"sample_id": "a", "value": 1.0}]}]
    results = {"total_samples": 2, "scores": [headline(1.0, 1)]}
    samples = [inspect_sample("a", 1, "C"), inspect_sample("a", 2, "I")]
    (own,) = of(tmp_path, *samples, results=results, reductions=reductions).batch.published_aggregates
    assert own.reasons == ["reduced_first"]


@pytest.mark.parametrize("method", [STORED, DEFLATED, ZSTANDARD])
def test_archives_are_read_as_logs(tmp_path: Path, method: int) -> None:
    log = inspect_log([inspect_sample("../../up/退款 <b>", 1), inspect_sample("b", 1)])
    archived = imported("inspect", write_archive(tmp_path / "log.eval", log, method=method))
    assert [run.case_id for run in archived.runs] == ["../../up/退款 <b>", "b"]
    assert archived.runs == imported("inspect", write_json(tmp_path / "log.json", log)).runs
    assert not (tmp_path.parent / "up").exists()


def test_a_killed_run_has_no_header(tmp_path: Path) -> None:
    batch = imported("inspect", write_archive(tmp_path / "log.eval", inspect_log([inspect_sample()]), header=False))
    assert len(batch.runs) == 1
    assert any("was not finished" in note.en for note in batch.batch.notes)


def damaged(path: Path) -> bytes:
    raw = write_archive(path, inspect_log([inspect_sample()]), method=STORED).read_bytes()
    return raw.replace(b"It has shipped.", b"It had shipped.", 1)


@pytest.mark.parametrize(
    ("make", "found"),
    [
        (
            lambda path: write_archive(path, inspect_log([inspect_sample()])).read_bytes()[:900],
            "a zip archive that is cut",
        ),
        (damaged, "a zip archive with a damaged entry (its check sum is another)"),
        (lambda path: b"version https://git-lfs.github.com/spec/v1\n", "a Git LFS pointer, not the file itself"),
        (lambda path: b"{}", "another file than a zip archive"),
        (lambda path: write_zip(path, {"a.json": b"{}"}, STORED).read_bytes(), "a zip archive without header.json and"),
        (
            lambda path: write_zip(path, {"header.json": b"{"}, STORED).read_bytes(),
            "a zip archive with an entry that is no J",
        ),
        (
            lambda path: write_zip(path, {"header.json": b"\xff"}, STORED).read_bytes(),
            "a zip archive with an entry that is no U",
        ),
        (
            lambda path: write_zip(path, {"header.json": b"[" * 900 + b"]" * 900}, STORED).read_bytes(),
            "an entry nested deeper than 200",
        ),
        (
            lambda path: write_zip(path, {"header.json": b"{}"}, 12).read_bytes(),
            "a zip archive that is compressed in another",
        ),
        (lambda path: b"", "an empty file"),
    ],
)
def test_archives_that_cannot_be_read(tmp_path: Path, make: Any, found: str) -> None:
    path = tmp_path / "log.eval"
    path.write_bytes(make(path))
    (finding,) = refused("inspect", path)
    assert (finding.code, finding.place.file, finding.found[: len(found)]) == ("RC501", "log.eval", found)


def test_an_archive_that_expands_too_far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_archive(tmp_path / "log.eval", inspect_log([inspect_sample()]))
    monkeypatch.setattr("generator.read.importers.eval_archive.MAX_BYTES", 500)
    (finding,) = refused("inspect", path)
    assert finding.found == "an archive of more than 500 bytes"


def test_zero_samples_and_other_files(tmp_path: Path) -> None:
    (empty,) = refused("inspect", write_json(tmp_path / "a.json", inspect_log([])))
    (other,) = refused("inspect", write_json(tmp_path / "b.json", {"hello": 1}))
    assert (empty.code, other.code, other.found) == ("RC507", "RC502", "an object without eval")
