"""The evidence of a run → an instance of Every Eval Ever."""

import json
from collections.abc import Mapping
from typing import Any

SCHEMA_VERSION = "instance_level_eval_0.2.1"


def instance_of(run: dict[str, Any], metric: str, identity: Mapping[str, str], batch: dict[str, Any]) -> dict[str, Any]:
    """A run with tool calls is agentic, with its messages; any other is one turn, with its output."""
    passed = run["assertions"][metric]["outcome"] == "hit"
    steps = run.get("trace") or []
    calls = [step for step in steps if step["kind"] == "tool"]
    answer = (run.get("answer") or {}).get("text") or ""
    messages = _messages(steps, answer) if calls else None
    prompts = {case["id"]: case["prompt"] for case in batch["cases"]}
    instance: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        **identity,
        "sample_id": run["case_id"],
        "interaction_type": "agentic" if calls else "single_turn",
        "input": {"raw": prompts.get(run["case_id"]) or "", "reference": []},
        "output": None if calls else {"raw": [answer]},
        "messages": messages,
        "answer_attribution": _attribution(answer, messages),
        "evaluation": {"score": float(passed), "is_correct": passed, "tool_calls_count": len(calls)},
        "token_usage": _tokens(run),
        "performance": _performance(run),
        "error": None,
        "metadata": {
            "run_id": run["run_id"],
            "variant": run["variant"],
            "repeat_index": str(run["repeat_index"]),
            "state": run["state"],
            **({"reason": run["reason"]} if run["reason"] is not None else {}),
        },
    }
    turns = (run.get("telemetry") or {}).get("turns")
    if turns:
        instance["evaluation"]["num_turns"] = turns
    return instance


def _messages(steps: list[dict[str, Any]], answer: str) -> list[dict[str, Any]]:
    """Calls of one turn stand in one message; arguments are texts in the schema, and results what the site shows."""
    messages: list[dict[str, Any]] = []
    results: list[dict[str, Any]] = []

    def open_turn() -> None:
        messages.extend(results)
        results.clear()
        messages.append({"role": "assistant", "content": None, "tool_calls": []})

    for number, step in enumerate(steps):
        if step["kind"] == "model":
            open_turn()
            continue
        if not messages:
            open_turn()
        call_id = step.get("call_id") or f"call-{number}"
        messages[-1]["tool_calls"].append(
            {"id": call_id, "name": step["tool"], "arguments": _arguments(step.get("arguments"))}
        )
        shown = step.get("summary") or step.get("error") or {}
        text = shown.get("text") if isinstance(shown, dict) else shown
        results.append({"role": "tool", "content": text, "tool_call_id": [call_id]})
    messages.extend(results)
    if answer:
        if messages[-1]["role"] == "assistant":
            messages[-1]["content"] = answer
        else:
            messages.append({"role": "assistant", "content": answer, "tool_calls": []})
    return [{"turn_idx": place, **message} for place, message in enumerate(messages)]


def _arguments(given: Any) -> dict[str, str] | None:
    if given is None:
        return None
    pairs = given.items() if isinstance(given, dict) else [("value", given)]
    return {key: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for key, value in pairs}


def _attribution(answer: str, messages: list[dict[str, Any]] | None) -> list[dict[str, Any]]:
    if not answer:
        return []
    place = 0 if messages is None else len(messages) - 1
    return [
        {
            "turn_idx": place,
            "source": "output.raw" if messages is None else f"messages[{place}].content",
            "extracted_value": answer,
            "extraction_method": "custom",
            "is_terminal": True,
        }
    ]


def _tokens(run: dict[str, Any]) -> dict[str, int] | None:
    usage = (run.get("telemetry") or {}).get("usage") or {}
    prompt, completion = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if prompt is None or completion is None:
        return None
    return {"input_tokens": prompt, "output_tokens": completion, "total_tokens": prompt + completion}


def _performance(run: dict[str, Any]) -> dict[str, float] | None:
    timing = (run.get("telemetry") or {}).get("timing") or {}
    return None if timing.get("duration_ms") is None else {"latency_ms": timing["duration_ms"]}
