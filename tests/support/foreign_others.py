"""Files of further harnesses, of our own making, with the traps of real ones and a secret wherever one could stand."""

import json
from pathlib import Path
from typing import Any

Record = dict[str, Any]
KEY = "SECRET-LAUNCH-KEY"


def write_lines(path: Path, *lines: Record) -> Path:
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return path


def deepeval_case(name: str = "geo/france", success: bool | None = True, **changes: Any) -> Record:
    case: Record = {
        "name": name,
        "input": "Capital of France?",
        "actualOutput": "Paris",
        "expectedOutput": "SECRET-GOLD-ACTION",
        "context": ["SECRET-USER-SCRIPT"],
        "retrievalContext": ["SECRET-USER-SCRIPT"],
        "toolsCalled": [{"name": "search", "inputParameters": {"q": "France"}, "output": "Paris"}],
        "expectedTools": [{"name": "SECRET-ASSERTION"}],
        "tokenCost": 0.001,
        "completionTime": 0.842,
        "success": success,
        "metricsData": [
            {"name": "Right", "success": success, "score": 1.0, "reason": "SECRET-ASSERTION", "evaluationModel": KEY}
        ],
        "metadata": {"private": "SECRET-RAW-DATA"},
    }
    return case | changes


def deepeval_file(*cases: Record, **changes: Any) -> Record:
    content: Record = {
        "testCases": list(cases),
        "hyperparameters": {"model": "m-1", "temperature": 0.5, "api_key": KEY, "system prompt": "SECRET-GUIDELINES"},
        "testPassed": sum(case["success"] is True for case in cases),
        "testFailed": sum(case["success"] is not True for case in cases),
    }
    return content | changes


def agentrial_trial(index: int, passed: bool = True, **changes: Any) -> Record:
    trial: Record = {
        "trial_index": index,
        "passed": passed,
        "failures": [] if passed else ["Missing expected substrings: ['SECRET-GOLD-ACTION']"],
        "duration_ms": 12.5,
        "cost": 0.0003,
        "tokens": 60,
        "steps": [
            {"step_index": 0, "step_type": "tool_call", "name": "search", "duration_ms": 1.2, "tokens": 40},
            {"step_index": 1, "step_type": "output", "name": "answer", "duration_ms": 2.5, "tokens": 20},
        ],
    }
    return trial | changes


def agentrial_file(name: str = "alpha", **cases: list[Record]) -> Record:
    trials = [trial for listed in cases.values() for trial in listed]
    return {
        "version": "1.0",
        "timestamp": "2026-11-30T00:22:30.419807Z",
        "suite": {"name": name, "agent": f"agents.{name}:run", "trials": 3, "threshold": 0.7, "env": KEY},
        "summary": {"overall_pass_rate": sum(trial["passed"] for trial in trials) / len(trials)},
        "results": [
            {
                "test_case": {"name": case, "expected": "SECRET-GOLD-ACTION"},
                "trials": listed,
                "failure_attribution": {"failure_patterns": [{"message": "SECRET-ASSERTION"}]},
            }
            for case, listed in cases.items()
        ],
    }


JUNIT = """<?xml version="1.0" encoding="utf-8"?>
<testsuites><testsuite name="pytest" hostname="SECRET-RAW-DATA" timestamp="2026-11-30T00:21:32+00:00">
{cases}
</testsuite></testsuites>
"""


def junit_case(name: str, inside: str = "", **properties: str) -> str:
    listed = "".join(f'<property name="{key}" value="{value}"/>' for key, value in properties.items())
    secret = f'<property name="api_key" value="{KEY}"/><property name="tokens" value="{KEY}"/>'
    return (
        f'<testcase classname="test_a" name="{name}" file="SECRET-RAW-DATA" time="1,000.5">'
        f"<properties>{listed}{secret}</properties>{inside}"
        "<system-out>SECRET-USER-SCRIPT</system-out></testcase>"
    )


FAILURE = '<failure message="SECRET-GOLD-ACTION">SECRET-TRACEBACK</failure>'
ERROR = '<error message="failed on setup with 429 rate limit SECRET-ASSERTION">SECRET-TRACEBACK</error>'
SKIPPED = '<skipped type="pytest.xfail" message="SECRET-ASSERTION"/>'


def write_junit(path: Path, *cases: str) -> Path:
    path.write_text(JUNIT.format(cases="\n".join(cases)), encoding="utf-8")
    return path


TRACE = "216363698b529b4a97b750923ceb3ffd"


def span(number: int, operation: str | None, attributes: Record, trace: str = TRACE, **changes: Any) -> Record:
    """One line of the SDK; `number` is its place in time and its id, 0 the root."""
    given = attributes if operation is None else {"gen_ai.operation.name": operation, **attributes}
    record: Record = {
        "name": operation or "eval.case",
        "context": {"trace_id": f"0x{trace}", "span_id": f"0x{number:016x}", "trace_state": "[]"},
        "parent_id": None if number == 0 else f"0x{0:016x}",
        "start_time": f"2026-11-30T00:21:47.{number:03d}000Z",
        "end_time": f"2026-11-30T00:21:47.{number + 100:03d}000Z",
        "status": {"status_code": "UNSET"},
        "attributes": {"x.api_key": KEY, **given},
        "events": [{"name": "log", "attributes": {"text": "SECRET-RAW-DATA"}}],
        "resource": {"attributes": {"service.instance.id": "SECRET-RAW-DATA"}},
    }
    return record | changes


def spans(case: str = "geo/france", repeat: int = 0, trace: str = TRACE, **root: Any) -> list[Record]:
    """A run of two calls of the model with one of a tool between them."""
    named = {"eval.case_id": case, "eval.variant": "large", "eval.repeat": repeat, "eval.score": 1.0}
    request = {
        "gen_ai.request.model": "sim",
        "gen_ai.request.temperature": 0.5,
        "gen_ai.request.api_key": KEY,
        "gen_ai.usage.input_tokens": 50,
        "gen_ai.usage.output_tokens": 10,
        "gen_ai.tool.definitions": json.dumps([{"type": "function", "name": "search", "parameters": {}}]),
        "gen_ai.input.messages": json.dumps([{"role": "user", "parts": [{"type": "text", "content": "Capital?"}]}]),
    }
    said = json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": "Paris"}]}])
    tool = {
        "gen_ai.tool.name": "search",
        "gen_ai.tool.call.id": "c1",
        "gen_ai.tool.call.arguments": '{"q":"France"}',
        "gen_ai.tool.call.result": "Paris is",
    }
    return [
        span(1, "chat", request, trace),
        span(2, "execute_tool", tool, trace),
        span(3, "chat", request | {"gen_ai.output.messages": said}, trace),
        span(0, None, named, trace, **root),
    ]


def openhands_row(instance: str = "task-1", total: int = 1, result: int = 1, **changes: Any) -> Record:
    action = {
        "kind": "ActionEvent",
        "timestamp": "2025-10-30T13:38:51.498442",
        "tool_name": "execute_bash",
        "tool_call_id": "call-1",
        "tool_call": {"name": "execute_bash", "arguments": '{"command":"ls"}'},
        "llm_response_id": "r1",
    }
    seen = {
        "kind": "ObservationEvent",
        "tool_call_id": "call-1",
        "observation": {"output": "a.txt", "error": False},
    }
    finish = action | {
        "tool_name": "finish",
        "tool_call_id": "call-2",
        "tool_call": {"name": "finish", "arguments": '{"message":"Done."}'},
        "action": {"kind": "FinishAction", "message": "Done."},
        "llm_response_id": "r2",
    }
    row: Record = {
        "instance_id": instance,
        "test_result": {"checkpoints": ["SECRET-GOLD-ACTION"], "final_score": {"total": total, "result": result}},
        "instruction": "SECRET-USER-SCRIPT",
        "metadata": {
            "llm": {"model": "gpt-4o", "temperature": 0.0, "api_key": KEY, "base_url": KEY, "extra_headers": KEY},
            "dataset": "d",
            "max_iterations": 100,
            "eval_output_dir": "SECRET-RAW-DATA",
        },
        "history": [action, seen, finish],
        "metrics": {
            "accumulated_cost": 0.2,
            "accumulated_token_usage": {"prompt_tokens": 90, "completion_tokens": 9},
        },
        "error": None,
        "instance": {"evaluator_code": "SECRET-ASSERTION"},
    }
    return row | changes


def trajectory(status: str | None = "submitted", **changes: Any) -> Record:
    content: Record = {
        "environment": "swe_main",
        "trajectory": [
            {"action": "ls -F\n", "observation": "a.py", "thought": "SECRET-RAW-DATA", "execution_time": 0.25},
            {"action": "submit", "observation": "", "state": {"dir": "SECRET-RAW-DATA"}},
        ],
        "history": [
            {"role": "system", "content": "SETTING: a shell"},
            {"role": "user", "content": "SECRET-USER-SCRIPT", "is_demo": True},
            {"role": "user", "content": "Fix the bug"},
        ],
        "info": {
            "exit_status": status,
            "submission": "diff --git a b",
            "model_stats": {"instance_cost": 1.2, "tokens_sent": 100, "tokens_received": 20, "api_calls": 2},
            "edited_files30": "SECRET-RAW-DATA",
        },
        "replay_config": {"env": {"key": KEY}, "templates": "SECRET-GUIDELINES"},
    }
    return content | changes


def write_trajectory(root: Path, folder: str, case: str, **changes: Any) -> Path:
    path = root / folder / f"{case}.traj"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(trajectory(**changes)), encoding="utf-8")
    return path


def instance(sample: str = "q1", correct: bool = True, **changes: Any) -> Record:
    record: Record = {
        "schema_version": "instance_level_eval_0.2.1",
        "evaluation_id": "gsm8k/m/1",
        "model_id": "org/m",
        "evaluation_name": "gsm8k",
        "sample_id": sample,
        "interaction_type": "single_turn",
        "input": {"raw": "1 + 1?", "reference": ["SECRET-GOLD-ACTION"], "choices": ["SECRET-ASSERTION"]},
        "output": {"raw": ["two"], "reasoning_trace": ["SECRET-RAW-DATA"]},
        "messages": None,
        "answer_attribution": [{"extracted_value": "SECRET-RAW-DATA"}],
        "evaluation": {"score": float(correct), "is_correct": correct},
        "token_usage": {"input_tokens": 12, "output_tokens": 3, "total_tokens": 15},
        "performance": {"latency_ms": 80.5},
        "error": None,
        "metadata": {"api_key": KEY},
    }
    return record | changes
