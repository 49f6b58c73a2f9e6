"""What judges look at: a run, the setting it is judged in, and what several of them derive from both."""

from dataclasses import dataclass
from functools import cached_property

from msgspec import UNSET

from generator.judge.fact_values import Statement, statement, statements_of
from generator.judge.json_values import Leaves, leaves
from generator.judge.setting import JudgeSetting, Restrictions, restrictions
from generator.model.runs import ContextEntry, ModelTurn, Run, ToolCall


@dataclass(frozen=True, slots=True)
class PlacedCall:
    """A call and its turn: how many model entries stand before it."""

    turn: int
    call: ToolCall


class Judgement:
    """A valid run and its setting. Derived parts are made once, and only if a judge asks."""

    def __init__(self, run: Run, setting: JudgeSetting) -> None:
        self.run = run
        self.setting = setting

    @property
    def answer(self) -> str:
        """The final answer; empty where there is none."""
        return self.run.answer or ""

    @cached_property
    def calls(self) -> list[PlacedCall] | None:
        """Tool calls in order; None where the trace was not recorded."""
        if self.run.trace is None:
            return None
        turn = 0
        placed: list[PlacedCall] = []
        for step in self.run.trace:
            if isinstance(step, ModelTurn):
                turn += 1
            else:
                placed.append(PlacedCall(turn, step))
        return placed

    @cached_property
    def catalog(self) -> frozenset[str] | None:
        """Tools that the run really had; None is unknown."""
        return self.setting.catalog if self.run.catalog is UNSET else frozenset(self.run.catalog)

    @cached_property
    def meta_tools(self) -> frozenset[str]:
        return self.setting.meta_tools.union(self.run.meta_tools)

    @cached_property
    def restrictions(self) -> Restrictions | None:
        own = self.run.authorization
        return self.setting.restrictions if own is None else restrictions(own)

    @cached_property
    def built_context(self) -> list[ContextEntry]:
        """The entries that reached the model; none where the context was not recorded."""
        context = self.run.context
        return [] if context is None else [entry for entry in context.entries if entry.kept]

    @cached_property
    def answer_statements(self) -> list[Statement]:
        return [statement(self.answer)] if self.answer else []

    @cached_property
    def context_statements(self) -> list[Statement]:
        return [statement(entry.text) for entry in self.built_context if entry.text]

    @cached_property
    def result_leaves(self) -> list[Leaves]:
        """Of each call in order, whatever its status."""
        return [leaves(placed.call.result) for placed in self.calls or []]

    @cached_property
    def result_statements(self) -> list[list[Statement]]:
        """Of each call in order; a call that failed returned nothing."""
        return [
            statements_of(found) if placed.call.status == "ok" else []
            for placed, found in zip(self.calls or [], self.result_leaves, strict=True)
        ]
