"""What a run did, once more from its evidence: features of its fingerprint, and what it reached."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

Step = dict[str, Any]

_END_OF_SENTENCE = re.compile(r"[。！？!?\n]|\.(?!\d)")
_LONGEST_TEXT = 64


class Reached(NamedTuple):
    """`path` is None where there is no trace."""

    path: str | None
    tools: frozenset[str]
    states: frozenset[str]
    points: frozenset[str]
    model: str | None


def reached_by(evidence: dict[str, Any]) -> Reached:
    """Of a valid run with a trace; of any other its model alone."""
    effective = evidence["config"].get("effective", {})
    agent = effective.get("agent")
    named = [part["model"] for part in (effective, agent) if isinstance(part, dict) and "model" in part]
    model = next((name for name in named if isinstance(name, str)), None)
    trace: list[Step] | None = evidence["trace"]
    if trace is None or evidence["validity"] != "valid":
        return Reached(None, frozenset(), frozenset(), frozenset(), model)
    names = [_name(step) for step in trace] + ["none" if evidence["answer"] is None else "answer"]
    calls = [step for step in trace if step.get("kind") == "tool"]
    return Reached(
        path=hashlib.sha256("\n".join(names).encode("utf-8", "surrogatepass")).hexdigest()[:16],
        tools=frozenset(str(call.get("tool")) for call in calls),
        states=frozenset(_states(trace)),
        points=frozenset(point for call in calls for point in _points(call)),
        model=model,
    )


def _name(step: Step) -> str:
    return f"tool {step.get('tool')}" if step.get("kind") == "tool" else "model"


def _states(trace: list[Step]) -> Iterator[str]:
    for place, step in enumerate(trace, start=1):
        before = [other for other in trace[:place] if other.get("kind") == "tool"]
        word = "clean" if all(call.get("status") == "ok" for call in before) else "failed"
        yield f"{_name(step)} {word} {max(size for size in (0, 1, 2, 4, 8) if size <= len(before))}"


def _points(call: Step) -> Iterator[str]:
    arguments = call.get("arguments")
    for name, value in arguments.items() if isinstance(arguments, dict) else ():
        argument = f"{call.get('tool')}.{name}"
        if isinstance(value, list):
            yield f"{argument} items {len(value)}"
        elif isinstance(value, str):
            yield f"{argument} length {len(value)}"
            if len(value) <= _LONGEST_TEXT:
                yield f"{argument} = {json.dumps(value, ensure_ascii=False)}"
        elif isinstance(value, bool) or value is None:
            yield f"{argument} = {json.dumps(value)}"
        elif isinstance(value, int | Fraction):
            is_whole = Fraction(value).denominator == 1
            yield f"{argument} = {json.dumps(int(value) if is_whole else float(value))}"


def _ratio(part: int, whole: int) -> Fraction:
    return Fraction(part, whole) if whole else Fraction(0)


class _Run:
    """The trace as counts."""

    def __init__(self, evidence: dict[str, Any]) -> None:
        trace: list[Step] = evidence["trace"] or []
        self.steps = len(trace)
        self.tools: list[str] = []
        self.failed: list[bool] = []
        self.turns: Counter[int] = Counter()
        model = 0
        for step in trace:
            if step["kind"] == "tool":
                self.tools.append(step["tool"])
                self.failed.append(step["status"] != "ok")
                self.turns[model] += 1
            else:
                model += 1
        self.actions = self.steps + (evidence["answer"] is not None)
        usage = evidence["telemetry"].get("usage") or {}
        self.tokens = (usage.get("prompt_tokens") or 0) + (usage.get("completion_tokens") or 0)
        self.has_usage = None not in (usage.get("prompt_tokens"), usage.get("completion_tokens"))

    def repeats(self) -> int:
        return sum(self.tools[place] == self.tools[place - 1] for place in range(1, len(self.tools)))

    def recovered(self) -> int:
        return sum(failed and not all(self.failed[place + 1 :] or [True]) for place, failed in enumerate(self.failed))


_FROM_TRACE: dict[str, Callable[[_Run], int | Fraction]] = {
    "fp_distinct_tools": lambda run: len(set(run.tools)),
    "fp_top_tool_share": lambda run: _ratio(max(map(run.tools.count, run.tools), default=0), len(run.tools)),
    "fp_repeat_share": lambda run: _ratio(run.repeats(), len(run.tools)),
    "fp_steps": lambda run: run.steps,
    "fp_depth": lambda run: len(run.turns),
    "fp_width": lambda run: max(run.turns.values(), default=0),
    "fp_model_share": lambda run: _ratio(run.steps - len(run.tools), run.actions),
    "fp_call_share": lambda run: _ratio(len(run.tools), run.actions),
    "fp_any_error": lambda run: int(any(run.failed)),
    "fp_recovered_share": lambda run: _ratio(run.recovered(), sum(run.failed)),
}
_FROM_USAGE: dict[str, Callable[[_Run], int | Fraction]] = {
    "fp_tokens": lambda run: run.tokens,
    "fp_tokens_per_step": lambda run: Fraction(run.tokens, max(run.steps, 1)),
}
_FROM_ANSWER = ("fp_answer_length", "fp_answer_complexity")
_BY_NAME = ("fp_distinct_tools", "fp_top_tool_share", "fp_repeat_share")
FEATURES = (*_FROM_TRACE, *_FROM_USAGE, *_FROM_ANSWER)


def feature_of(metric: str, evidence: dict[str, Any], is_redacted: bool) -> tuple[int | Fraction | None, str] | None:
    """Value, or the reason why there is none; None where what is shown is not what was counted (a name or an answer
    was replaced, or the answer cut)."""
    run, is_traced = _Run(evidence), evidence["trace"] is not None
    if metric in _FROM_ANSWER:
        answer = evidence["answer"] or {"text": "", "truncated": False}
        text = answer["text"] or ""
        if is_redacted or answer["truncated"] or "\u27e6" in text:
            return None
        return (len(text) if metric == "fp_answer_length" else _complexity(text)), ""
    if metric != "fp_tokens" and not is_traced:
        return None, "trace_not_recorded"
    if metric in _FROM_USAGE:
        return (_FROM_USAGE[metric](run), "") if run.has_usage else (None, "usage_not_recorded")
    return None if is_redacted and metric in _BY_NAME else (_FROM_TRACE[metric](run), "")


def _complexity(text: str) -> Fraction:
    """Characters of a sentence ÷ 100."""
    lengths = [length for piece in _END_OF_SENTENCE.split(text) if (length := sum(map(len, piece.split())))]
    return min(Fraction(1), _ratio(sum(lengths), 100 * len(lengths)))
