"""The messages of one τ²-bench run. The simulated user may call tools too; these are not the agent's calls."""

import re
from dataclasses import dataclass

from generator.model.base import Json
from generator.model.runs import ModelTurn, Timing, Usage
from generator.read.importers.conversation import Conversation
from generator.read.importers.values import as_count, as_list, as_number, as_object, as_text, drop_absent

_SIGNS = re.compile(r"\s*(?:###(?:STOP|TRANSFER|OUT-OF-SCOPE)###\s*)+")
"""How a conversation is ended: signs to the harness, which say nothing to anybody."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """The conversation as the agent had it, and counts of what is not part of it."""

    conversation: Conversation
    counts: dict[str, Json]


def record_messages(messages: list[Json], policy: str | None, ticket: str | None) -> Recorded:
    """`ticket` is the task of an agent that works without a user."""
    talk = Conversation()
    talk.instruct("policy", policy)
    talk.instruct("ticket", ticket)
    user_calls = 0
    for position, message in enumerate(_flat(messages)):
        role = message.get("role")
        if role == "user":
            talk.hear(as_text(message.get("content")))
            user_calls += len(as_list(message.get("tool_calls")))
        elif role == "assistant":
            _agent_message(talk, message, first=position == 0)
        elif role == "system":
            talk.instruct(f"system-{position}", as_text(message.get("content")))
        elif role == "tool" and message.get("requestor") != "user":
            talk.receive(as_text(message.get("id")), as_text(message.get("content")), message.get("error") is True)
    counts = drop_absent(user_tool_calls=user_calls or None, stray_tool_results=talk.stray_results or None)
    return Recorded(talk, counts)


def _flat(messages: list[Json]) -> list[dict[str, Json]]:
    """Several results may stand in one message."""
    flat: list[dict[str, Json]] = []
    for item in messages:
        message = as_object(item)
        inner = message.get("tool_messages")
        flat += [as_object(part) for part in inner] if isinstance(inner, list) else [message]
    return flat


def _agent_message(talk: Conversation, message: dict[str, Json], *, first: bool) -> None:
    calls = [as_object(call) for call in as_list(message.get("tool_calls"))]
    usage = as_object(message.get("usage"))
    # The harness opens each conversation with a fixed greeting, for which no model is called.
    greeting = first and not calls and not usage and message.get("raw_data") is None
    talk.speak(None if greeting else _turn(message, usage), _words(as_text(message.get("content"))))
    for call in calls:
        if call.get("requestor") != "user":
            talk.call(as_text(call.get("id")), as_text(call.get("name")) or "", call.get("arguments"))


def _words(text: str | None) -> str | None:
    """What the agent said, as it is; None for signs to the harness and nothing else."""
    return None if text is None or _SIGNS.fullmatch(text) else text


def _turn(message: dict[str, Json], usage: dict[str, Json]) -> ModelTurn:
    return ModelTurn(
        duration_ms=_milliseconds(as_number(message.get("generation_time_seconds"))),
        prompt_tokens=as_count(usage.get("prompt_tokens")),
        completion_tokens=as_count(usage.get("completion_tokens")),
    )


def total_usage(talk: Conversation, agent_cost: int | float | None) -> Usage | None:
    """Tokens of all calls of the agent's model; None where no call has a record."""
    turns = [step for step in talk.steps if isinstance(step, ModelTurn)]
    prompt = [turn.prompt_tokens for turn in turns if turn.prompt_tokens is not None]
    completion = [turn.completion_tokens for turn in turns if turn.completion_tokens is not None]
    if not prompt and not completion and agent_cost is None:
        return None
    return Usage(
        prompt_tokens=sum(prompt) if prompt else None,
        completion_tokens=sum(completion) if completion else None,
        cost_usd=agent_cost,
    )


def total_duration(seconds: int | float | None) -> Timing | None:
    """The harness's own measurement of the whole run. Its clock times carry no zone and are left out."""
    return None if seconds is None else Timing(duration_ms=_milliseconds(seconds))


def _milliseconds(seconds: int | float | None) -> int | float | None:
    return None if seconds is None else round(seconds * 1000, 3)
