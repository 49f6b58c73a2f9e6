"""Spans: two forms, ids in three notations, runs that ended by a limit, attributes of the caller."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from generator.model.imported import ImportedBatch
from generator.model.runs import ModelTurn, ToolCall
from tests.read.importers.support import imported, refused
from tests.support.foreign import write_json
from tests.support.foreign_others import TRACE, span, spans, write_lines

OTHER = "0" * 31 + "1"


def of(folder: Path, *records: dict[str, Any]) -> ImportedBatch:
    return imported("otel-genai", write_lines(folder / "spans.jsonl", *records), date=None)


def test_a_trace_is_a_run(tmp_path: Path) -> None:
    batch = of(tmp_path, *spans())
    (run,) = batch.runs
    assert (run.run_id, run.case_id, run.repeat_index, run.state) == (TRACE, "geo/france", 0, "COMPLETE")
    assert run.extra == {"reward": 1.0}
    assert run.answer == "Paris"
    turn = ModelTurn(
        started_at="2026-11-30T00:21:47.001000Z", duration_ms=100.0, prompt_tokens=50, completion_tokens=10
    )
    tool = ToolCall(tool="search", call_id="c1", arguments={"q": "France"}, result="Paris is", duration_ms=100.0)
    assert run.trace is not None
    assert run.trace[:2] == [turn, tool]
    assert run.usage is not None
    assert (run.usage.prompt_tokens, run.usage.completion_tokens) == (100, 20)
    assert run.context is not None
    assert [entry.text for entry in run.context.entries] == ["Capital?"]
    assert batch.batch.variant_catalogs == {"large": ["search"]}
    assert run.config.effective["target"] == {"name": "large", "model": "sim", "sampling": {"temperature": 0.5}}


@pytest.mark.parametrize(
    ("root", "state", "reason", "extra"),
    [
        ({"status": {"status_code": "ERROR", "description": "status_code: 429"}}, "INVALID", "rate_limited", 1.0),
        ({"status": {"status_code": "ERROR", "description": "boom"}}, "INVALID", "harness_error", 1.0),
        (
            {
                "status": {"status_code": "ERROR"},
                "events": [
                    {"name": "exception", "attributes": {"exception.type": "pydantic_ai.exceptions.UsageLimitExceeded"}}
                ],
            },
            "FAILED",
            "max_steps",
            1.0,
        ),
    ],
)
def test_the_status_of_the_outermost_span(
    tmp_path: Path, root: dict[str, Any], state: str, reason: str, extra: float
) -> None:
    (run,) = of(tmp_path, *spans(**root)).runs
    assert (run.state, run.reason, run.extra["reward"]) == (state, reason, extra)


def test_a_valid_run_without_a_score_was_not_passed_where_it_failed(tmp_path: Path) -> None:
    events = [{"name": "exception", "attributes": {"exception.type": "MaxTurnsExceeded"}}]
    root = span(0, None, {"case_id": "a", "variant": "v"}, status={"status_code": "ERROR"}, events=events)
    assert of(tmp_path, root).runs[0].extra == {"reward": None}
    assert of(tmp_path, span(0, None, {"case_id": "a", "variant": "v"})).runs[0].extra == {}


def _otlp(records: list[dict[str, Any]], as_id: Any) -> dict[str, Any]:
    def typed(value: Any) -> dict[str, Any]:
        if isinstance(value, bool):
            return {"boolValue": value}
        if isinstance(value, int):
            return {"intValue": str(value)}
        return {"doubleValue": value} if isinstance(value, float) else {"stringValue": value}

    made = [
        {
            "traceId": as_id(record["context"]["trace_id"]),
            "spanId": as_id(record["context"]["span_id"]),
            **({} if record["parent_id"] is None else {"parentSpanId": as_id(record["parent_id"])}),
            "name": record["name"],
            "startTimeUnixNano": str(1795998107000000000 + 1000000 * int(record["start_time"][20:23])),
            "endTimeUnixNano": str(1795998107000000000 + 1000000 * int(record["end_time"][20:23])),
            "attributes": [{"key": key, "value": typed(value)} for key, value in record["attributes"].items()],
            "status": {},
        }
        for record in records
    ]
    return {"resourceSpans": [{"scopeSpans": [{"spans": made}]}]}


@pytest.mark.parametrize(
    "as_id",
    [
        lambda text: text.removeprefix("0x"),
        lambda text: base64.b64encode(bytes.fromhex(text.removeprefix("0x"))).decode(),
    ],
    ids=["hexadecimal", "base64"],
)
def test_both_forms_are_the_same_runs(tmp_path: Path, as_id: Any) -> None:
    first = of(tmp_path, *spans())
    second = imported("otel-genai", write_json(tmp_path / "otlp.json", _otlp(spans(), as_id)), date=None)
    assert first.runs == second.runs


def test_one_export_a_line(tmp_path: Path) -> None:
    exports = [_otlp([record], lambda text: text.removeprefix("0x")) for record in spans()]
    assert len(of(tmp_path, *exports).runs) == 1


def test_a_trace_may_be_spread_over_files(tmp_path: Path) -> None:
    records = spans()
    files = [
        write_lines(tmp_path / "a.jsonl", *records[:2]),
        write_lines(tmp_path / "b.jsonl", *records[2:], *spans(repeat=1, trace=OTHER)),
    ]
    runs = imported("otel-genai", *files, date=None).runs
    assert sorted((run.run_id, run.repeat_index, len(run.trace or [])) for run in runs) == [
        (OTHER, 1, 3),
        (TRACE, 0, 3),
    ]


def test_what_names_no_case_is_a_finding(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "spans.jsonl", span(0, None, {}))
    (finding,) = refused("otel-genai", path)
    assert (finding.code, finding.expected) == (
        "RC503",
        "an attribute that names the case: one of eval.case_id, eval.case.id, case_id",
    )
    broken = write_lines(tmp_path / "spans.jsonl", span(0, None, {"case_id": "a"}) | {"context": {"trace_id": "?"}})
    assert [finding.code for finding in refused("otel-genai", broken)] == ["RC503"]
    other = write_json(tmp_path / "x.json", {"a": 1})
    assert [finding.code for finding in refused("otel-genai", other)] == ["RC502"]


def test_arguments_that_are_no_json_stay_texts(tmp_path: Path) -> None:
    records = spans()
    records[1]["attributes"]["gen_ai.tool.call.arguments"] = '{"q": "cut o'
    (run,) = of(tmp_path, *records).runs
    assert run.trace is not None
    assert isinstance(run.trace[1], ToolCall)
    assert run.trace[1].arguments == '{"q": "cut o'
    assert "SECRET" not in json.dumps(run.config.effective)
