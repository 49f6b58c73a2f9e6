"""The case bank and its gold answers, which have no path to the site."""

from typing import Literal

import msgspec

from generator.model.base import Definition, Json, Text


class Fact(Definition, frozen=True, kw_only=True):
    """A fact and the values that state it; any one of them suffices."""

    id: str
    values: list[str | int | float]


class ExpectedCall(Definition, frozen=True, kw_only=True):
    """A call to look for: exact tool name, arguments as a subset, status."""

    id: str
    tool: str
    args: dict[str, Json] = {}
    status: Literal["ok", "error", "denied"] = "ok"


class CallPattern(Definition, frozen=True, kw_only=True):
    """A call that must not happen, or not without confirmation, whatever its status."""

    id: str
    tool: str
    args: dict[str, Json] = {}


class Dependency(Definition, frozen=True, kw_only=True):
    """A value that must flow: from the result of the call `source` to an argument of a later-turn call `target`."""

    id: str
    source: str = msgspec.field(name="from")
    source_path: str = msgspec.field(name="from_path")
    target: str = msgspec.field(name="to")
    target_path: str = msgspec.field(name="to_path")


class Alternatives(Definition, frozen=True, kw_only=True):
    """Groups of calls of which at least one must be wholly made."""

    id: str
    groups: list[list[ExpectedCall]]


class RequiredItem(Definition, frozen=True, kw_only=True):
    """A context entry that must survive verbatim."""

    id: str
    text: str


class Gold(Definition, frozen=True, kw_only=True):
    """What judges compare with. Absent (null) parts make the metrics that need them not applicable; an empty
    `expected_tools` is given and means none."""

    expected_tools: list[str] | None = None
    required_calls: list[ExpectedCall] | None = None
    required_dependencies: list[Dependency] | None = None
    acceptable_alternatives: list[Alternatives] | None = None
    forbidden_calls: list[CallPattern] | None = None
    confirmation_required: list[CallPattern] | None = None
    stop_when_facts_available: list[Fact] | None = None
    key_facts: list[Fact] | None = None
    stale_facts: list[Fact] | None = None
    allowed_derived_values: list[str | int | float] = []
    required_items: list[RequiredItem] | None = None

    @property
    def has_call_relation(self) -> bool:
        return any(
            part is not None
            for part in (
                self.required_calls,
                self.required_dependencies,
                self.acceptable_alternatives,
                self.forbidden_calls,
                self.confirmation_required,
                self.stop_when_facts_available,
            )
        )


class Case(Definition, frozen=True, kw_only=True):
    """One task. `prompt` is the public prompt; null where the bank may not publish it."""

    id: str
    category: str
    title: Text
    prompt: str | None
    routing: Literal["gold", "model"] = "model"
    session: str | None = None
    gold: Gold = Gold()


class Category(Definition, frozen=True, kw_only=True):
    id: str
    name: Text


class CaseBank(Definition, frozen=True, kw_only=True):
    """`cases/<id>.yaml`."""

    id: str
    version: int
    title: Text
    categories: list[Category]
    cases: list[Case]

    def case(self, case_id: str) -> Case:
        """The case of that id; KeyError if the bank has none."""
        for case in self.cases:
            if case.id == case_id:
                return case
        raise KeyError(case_id)


class SessionEntry(Definition, frozen=True, kw_only=True):
    """One entry of a long session, before any context strategy."""

    id: str
    role: Literal["system", "user", "assistant", "tool", "document"]
    text: str
    required: bool = False
    trusted: bool = True


class Session(Definition, frozen=True, kw_only=True):
    """`sessions/<id>.yaml`: a long conversation from which the context of a run is built."""

    id: str
    version: int
    title: Text
    entries: list[SessionEntry]
