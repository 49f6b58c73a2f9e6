"""One planned cell → the run it became, as a line of `runs.jsonl` holds it."""

import datetime
from dataclasses import dataclass

import msgspec

from generator.model.base import Json
from generator.model.cases import Case, Session
from generator.model.runs import Authorization, RestrictedDatum
from generator.model.schedule import Cell
from generator.model.tools import Catalog, FixtureSet
from generator.sample.agent import Agent
from generator.sample.batches import BatchSpec
from generator.sample.contexts import build_context, session_entries
from generator.sample.draws import Draws, unit
from generator.sample.faults import fault_of
from generator.sample.plans import seen_of
from generator.sample.record import Variant, record
from generator.sample.scripts import PLANS
from generator.sample.settings import settings_of
from generator.sample.telemetry import Recorder
from generator.sample.tokens import count_tokens
from generator.sample.tools import MockTools
from generator.sample.world import World

RESTRICTED = Authorization(
    restricted_tools=["read_ledger", "get_client_profile"],
    restricted_data=[
        RestrictedDatum(id="reserve_ratio", values=["18.64%"]),
        RestrictedDatum(id="client_assets", values=["3204118.75"]),
    ],
)
GRANTED = Authorization(
    restricted_tools=RESTRICTED.restricted_tools,
    restricted_data=RESTRICTED.restricted_data,
    granted=["read_ledger", "get_client_profile", "reserve_ratio", "client_assets"],
)
GRANTED_CASES = frozenset({"multi-tool-06"})


@dataclass(frozen=True)
class Followed:
    """The source variant of a metamorphic batch, and the ids of its runs by case and repeat."""

    variant: str
    runs: dict[tuple[str, int], str]


@dataclass(frozen=True)
class Bench:
    """What all runs of a batch share. `followed`: whose runs those of the other variants follow, if any."""

    spec: BatchSpec
    cases: dict[str, Case]
    sessions: dict[str, Session]
    catalog: Catalog
    fixtures: FixtureSet
    variants: dict[str, Variant]
    followed: Followed | None = None


@dataclass(frozen=True)
class Done:
    """A run, with what the batch must know of it: tokens used and time passed."""

    run: dict[str, Json]
    tokens: int
    elapsed_ms: int


def execute(bench: Bench, cell: Cell, sequence: int, started_at: datetime.datetime) -> Done:
    """Execute one cell."""
    case_id, variant_id, repeat_index = cell
    case, variant = bench.cases[case_id], bench.variants[variant_id]
    settings = settings_of(variant.effective)
    seeded_as = None if bench.followed is None else bench.followed.variant
    draws = Draws(bench.spec.id, case_id, variant_id, repeat_index, settings.independence, seeded_as)
    authorization = GRANTED if case_id in GRANTED_CASES else RESTRICTED
    tools = MockTools(bench.catalog, bench.fixtures, settings, authorization)
    context = build_context(session_entries(bench.sessions.get(case.session or ""), draws), case, settings)
    world = World(
        case=case,
        plan=seen_of(PLANS[case_id], settings.input_share),
        settings=settings,
        draws=draws,
        tools=tools,
        context=context,
        fault=fault_of(draws, sequence, bench.spec.weather, settings.strategy),
    )
    schemas = "" if settings.by_search else tools.descriptions()
    standing = count_tokens(schemas + (case.prompt or "")) + sum(count_tokens(e.text) for e in context if e.kept)
    recorder = Recorder(draws, started_at, standing)
    agent = Agent(world, recorder)
    if world.fault is None or world.fault.before_turn > 0:
        agent.run()
    run = record(cell, sequence, variant, world, agent, recorder, started_at)
    if authorization is GRANTED:
        run["authorization"] = msgspec.to_builtins(GRANTED)
    if bench.followed is not None and variant_id != bench.followed.variant:
        run["source_run_id"] = bench.followed.runs[case_id, repeat_index]
    return Done({**run, "private": _private(bench.spec.id, case_id)}, recorder.tokens, recorder.elapsed_ms)


def _private(batch: str, case: str) -> dict[str, Json]:
    """What a real harness would keep beside a run and must never publish. All of it is invented, and marked so."""
    mark = f"{unit(batch, case, 'canary'):.12f}"[2:]
    return {
        "system_prompt": f"CANARY-SYSTEM-PROMPT-{mark} 你是智测运营助手（虚构的系统提示词，不得公开）",
        "account": {"holder": f"CANARY-HOLDER-{mark}", "token": f"canary-not-a-key-{mark}"},
    }
