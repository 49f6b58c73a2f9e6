"""The behaviour fingerprint: fourteen features of a run, in six families, from what its evidence shows.

The paper counts each tool and pads with zeros so that agents compare. Concentration, variety and repetition of calls
say the same of any catalogue, without columns that are zero for every run.
"""

import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

from generator.judge.details import FeatureDetail, recorded
from generator.judge.judgement import Judgement
from generator.model.assertions import Assertion, measured
from generator.model.formatting import published_float
from generator.model.runs import ToolCall

LONG_SENTENCE = 100
"""Characters of a sentence at which the answer's complexity is 1."""
SENTENCE_END = re.compile(r"[。！？!?\n]|\.(?!\d)")

_Value = int | Fraction


def _share(part: int, whole: int) -> Fraction:
    return Fraction(part, whole) if whole else Fraction(0)


def _calls(judgement: Judgement) -> list[ToolCall]:
    return [placed.call for placed in judgement.calls or []]


def _turns_of_calls(judgement: Judgement) -> Counter[int]:
    """Turn → calls it issued."""
    return Counter(placed.turn for placed in judgement.calls or [])


def distinct_tools(judgement: Judgement) -> _Value:
    return len({call.tool for call in _calls(judgement)})


def top_tool_share(judgement: Judgement) -> _Value:
    counts = Counter(call.tool for call in _calls(judgement))
    return _share(max(counts.values(), default=0), counts.total())


def repeat_share(judgement: Judgement) -> _Value:
    calls = _calls(judgement)
    return _share(sum(one.tool == other.tool for one, other in pairwise(calls)), len(calls))


def steps(judgement: Judgement) -> _Value:
    return len(judgement.run.trace or [])


def depth(judgement: Judgement) -> _Value:
    return len(_turns_of_calls(judgement))


def width(judgement: Judgement) -> _Value:
    return max(_turns_of_calls(judgement).values(), default=0)


def answer_length(judgement: Judgement) -> _Value:
    return len(judgement.answer)


def answer_complexity(judgement: Judgement) -> _Value:
    sentences = [found for piece in SENTENCE_END.split(judgement.answer) if (found := "".join(piece.split()))]
    characters = sum(map(len, sentences))
    return min(Fraction(1), _share(characters, LONG_SENTENCE * len(sentences)))


def model_share(judgement: Judgement) -> _Value:
    return _share(judgement.run.turns or 0, _actions(judgement))


def call_share(judgement: Judgement) -> _Value:
    return _share(len(_calls(judgement)), _actions(judgement))


def _actions(judgement: Judgement) -> int:
    return len(judgement.run.trace or []) + (judgement.run.answer is not None)


def any_error(judgement: Judgement) -> _Value:
    return int(any(call.status != "ok" for call in _calls(judgement)))


def recovered_share(judgement: Judgement) -> _Value:
    is_ok = [call.status == "ok" for call in _calls(judgement)]
    last_ok = max((place for place, ok in enumerate(is_ok) if ok), default=-1)
    failed = [place for place, ok in enumerate(is_ok) if not ok]
    return _share(sum(place < last_ok for place in failed), len(failed))


def tokens(judgement: Judgement) -> _Value:
    usage = judgement.run.usage
    return 0 if usage is None else (usage.prompt_tokens or 0) + (usage.completion_tokens or 0)


def tokens_per_step(judgement: Judgement) -> _Value:
    return Fraction(tokens(judgement)) / max(len(judgement.run.trace or []), 1)


def _feature(of: Callable[[Judgement], _Value], *, trace: bool = True, usage: bool = False) -> Callable[..., Assertion]:
    """A feature as an assertion; missing where the run lacks what it is counted from."""

    def judge(judgement: Judgement) -> Assertion:
        used = judgement.run.usage
        if trace and judgement.run.trace is None:
            return measured(None, "trace_not_recorded")
        if usage and (used is None or used.prompt_tokens is None or used.completion_tokens is None):
            return measured(None, "usage_not_recorded")
        value = of(judgement)
        return recorded(value if isinstance(value, int) else _number(value), FeatureDetail())

    return judge


def _number(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else published_float(value)


FEATURES: dict[str, Callable[[Judgement], Assertion]] = {
    "fp_distinct_tools": _feature(distinct_tools),
    "fp_top_tool_share": _feature(top_tool_share),
    "fp_repeat_share": _feature(repeat_share),
    "fp_steps": _feature(steps),
    "fp_depth": _feature(depth),
    "fp_width": _feature(width),
    "fp_answer_length": _feature(answer_length, trace=False),
    "fp_answer_complexity": _feature(answer_complexity, trace=False),
    "fp_model_share": _feature(model_share),
    "fp_call_share": _feature(call_share),
    "fp_any_error": _feature(any_error),
    "fp_recovered_share": _feature(recovered_share),
    "fp_tokens": _feature(tokens, trace=False, usage=True),
    "fp_tokens_per_step": _feature(tokens_per_step, usage=True),
}
"""Metric id → judge, in the order of the families."""
