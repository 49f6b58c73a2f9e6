"""Run telemetry: measured values, with no right or wrong. An absent record is null with a reason, never 0."""

from generator.judge.details import DurationDetail, TokensDetail, TurnsDetail, recorded
from generator.judge.judgement import Judgement
from generator.model.assertions import Assertion, measured


def avg_turns(judgement: Judgement) -> Assertion:
    """Model calls of the run."""
    turns = judgement.run.turns
    if judgement.calls is None:
        return measured(None, "trace_not_recorded")
    if turns is None:
        return measured(None, "model_calls_not_recorded")
    return recorded(turns, TurnsDetail(model_calls=turns, tool_calls=len(judgement.calls)))


def avg_tokens(judgement: Judgement) -> Assertion:
    """Prompt and completion tokens together; a run that lacks either part has no record."""
    usage = judgement.run.usage
    if usage is None or usage.prompt_tokens is None or usage.completion_tokens is None:
        return measured(None, "usage_not_recorded")
    detail = TokensDetail(
        prompt_tokens=usage.prompt_tokens, completion_tokens=usage.completion_tokens, estimated=usage.estimated
    )
    return recorded(usage.prompt_tokens + usage.completion_tokens, detail)


def duration(judgement: Judgement) -> Assertion:
    """Total duration in ms, as reported; a capped value stays, and its detail says so."""
    timing = judgement.run.timing
    if timing is None or timing.duration_ms is None:
        return measured(None, "duration_not_recorded")
    detail = DurationDetail(event=timing.event, authority=timing.authority, censored=timing.censored)
    return recorded(timing.duration_ms, detail)
