"""What is written down of a run: its keys in the order of the format, defaults left out."""

import datetime
from dataclasses import dataclass

from generator.model.base import Json
from generator.model.runs import ContextEntry
from generator.model.schedule import Cell
from generator.sample.agent import Agent
from generator.sample.draws import Draws
from generator.sample.faults import WAIT_LIMIT_MS
from generator.sample.telemetry import Recorder, iso_time
from generator.sample.world import World

CLIENT_CLOCK_LIMIT_MS = 30_000
"""The stopwatch of the client stops here."""


@dataclass(frozen=True)
class Variant:
    """A variant with its configurations."""

    id: str
    requested: dict[str, Json]
    effective: dict[str, Json]
    config_hash: str
    estimated: bool


def run_id(batch: str, sequence: int) -> str:
    return f"{batch}-{sequence + 1:04d}"


def record(
    cell: Cell,
    sequence: int,
    variant: Variant,
    world: World,
    agent: Agent,
    recorder: Recorder,
    started_at: datetime.datetime,
) -> dict[str, Json]:
    """The run as an object of `runs.jsonl`."""
    case_id, variant_id, repeat_index = cell
    fault = world.fault
    lost = fault is not None and fault.reason == "artifact_write_failed"
    state, reason = ("INVALID", "artifact_write_failed") if lost else (agent.state, agent.reason)
    if fault is not None and fault.before_turn == 0:
        state, reason = fault.state, fault.reason
    run: dict[str, Json] = {
        "run_id": run_id(world.draws.batch, sequence),
        "case_id": case_id,
        "variant": variant_id,
        "repeat_index": repeat_index,
        "sequence": sequence,
        "state": state,
    }
    if reason is not None:
        run["reason"] = reason
    run["config"] = {"requested": variant.requested, "effective": variant.effective}
    run["config_hash"] = variant.config_hash
    if any(step.asks for step in world.plan.steps):
        run["mode"] = "interactive"
        run["confirmations"] = list(agent.hands.confirmations)
    if reason != "context_build_failed":
        run["context"] = {"entries": [_entry(entry) for entry in world.context]}
        if not lost:
            run["trace"] = list(recorder.trace)
            if agent.answer is not None:
                run["answer"] = agent.answer
            if recorder.turns and world.draws.physical("usage lost") >= 0.015:
                run["usage"] = _usage(variant, recorder)
    run["timing"] = _timing(world.draws, agent, recorder, started_at)
    return run


def _entry(entry: ContextEntry) -> dict[str, Json]:
    """Only what differs from the defaults of the format."""
    shown: dict[str, Json] = {"id": entry.id}
    if entry.required:
        shown["required"] = True
    if not entry.trusted:
        shown["trusted"] = False
    if entry.region != "data":
        shown["region"] = entry.region
    if entry.wrapped and entry.kept:
        shown["wrapped"] = True
    if entry.truncated:
        shown["truncated"] = True
    if not entry.kept:
        return {**shown, "kept": False}
    return {**shown, "text": entry.text}


def _usage(variant: Variant, recorder: Recorder) -> dict[str, Json]:
    usage: dict[str, Json] = {
        "prompt_tokens": recorder.prompt_tokens,
        "completion_tokens": recorder.completion_tokens,
        "cost_usd": recorder.cost_usd,
    }
    return {**usage, "estimated": True} if variant.estimated else usage


def _timing(draws: Draws, agent: Agent, recorder: Recorder, started_at: datetime.datetime) -> dict[str, Json]:
    """Who timed what: most runs by the server, some by a client whose clock saturates, a few not at all."""
    start = iso_time(started_at, 0)
    draw = draws.physical("timing")
    by_client = draws.physical("timed by client") < 0.12
    if draw < 0.018:
        return {"started_at": start, "authority": "client", "censored": "missing"}
    duration, event, censored = recorder.elapsed_ms, "execution", "none"
    if agent.hands.waited_ms:
        event = "abandonment" if agent.reason == "confirmation_timeout" else "approval_wait"
        censored = "saturated" if agent.hands.waited_ms >= WAIT_LIMIT_MS else "none"
    elif draw < 0.045:
        event = "queue"
        duration += round(4_000 + 30_000 * draws.physical("queued"))
    elif draw < 0.055:
        event, by_client = "reconciliation", False
    if by_client and event in ("execution", "queue") and duration > CLIENT_CLOCK_LIMIT_MS:
        duration, censored = CLIENT_CLOCK_LIMIT_MS, "saturated"
    timing: dict[str, Json] = {
        "started_at": start,
        "ended_at": iso_time(started_at, duration),
        "duration_ms": duration,
        "event": event,
        "authority": "client" if by_client else "server",
    }
    return timing if censored == "none" else {**timing, "censored": censored}
