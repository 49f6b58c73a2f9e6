"""What a run meets, and how it can end."""

from dataclasses import dataclass

from generator.model.cases import Case
from generator.model.runs import ContextEntry
from generator.sample.draws import Draws
from generator.sample.faults import Fault
from generator.sample.plans import Plan
from generator.sample.settings import Settings
from generator.sample.tools import MockTools


class Stopped(Exception):
    """The run ends here: by a fault, by a limit, or because the agent or its user gave up."""

    def __init__(self, state: str, reason: str):
        super().__init__(reason)
        self.state = state
        self.reason = reason


@dataclass(frozen=True)
class World:
    """All that a run meets."""

    case: Case
    plan: Plan
    settings: Settings
    draws: Draws
    tools: MockTools
    context: list[ContextEntry]
    fault: Fault | None

    @property
    def holds_bare_text(self) -> bool:
        """Whether text from outside stands in the context without a wrapping."""
        return any(entry.kept and not entry.trusted and not entry.wrapped for entry in self.context)
