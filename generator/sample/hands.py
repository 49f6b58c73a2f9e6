"""What an agent does in a run: call the model, call tools, search for tools, ask the user."""

from generator.model.base import Json
from generator.sample.faults import WAIT_LIMIT_MS, approval_wait_ms
from generator.sample.mistakes import INVENTED, Mistakes
from generator.sample.telemetry import Recorder
from generator.sample.tokens import count_tokens
from generator.sample.tools import META_TOOL, Call, Returned
from generator.sample.world import Stopped, World


class Hands:
    """The acts of one run, each of them recorded, each of them under the limits and faults of the run."""

    def __init__(self, world: World, mistakes: Mistakes, recorder: Recorder):
        self._world = world
        self._mistakes = mistakes
        self._recorder = recorder
        self._known = set() if world.settings.by_search else set(world.tools.names)
        self.confirmations: list[dict[str, Json]] = []
        self.waited_ms = 0

    def model_turn(self, words: int) -> None:
        """Call the model; it writes about so many tokens. Raises Stopped at a fault or at the step limit."""
        fault = self._world.fault
        if fault is not None and self._recorder.turns + 1 >= fault.before_turn:
            raise Stopped(fault.state, fault.reason)
        if self._recorder.turns >= self._world.settings.max_steps:
            raise Stopped("FAILED", "max_steps_reached")
        self._recorder.model_turn(words)

    def make(self, call: Call) -> Returned:
        """Call a tool in the present turn."""
        if self._recorder.calls >= self._world.settings.max_calls:
            raise Stopped("FAILED", "max_tool_calls_reached")
        confirmed = frozenset(str(given["tool"]) for given in self.confirmations)
        returned = self._world.tools.call(call, confirmed)
        self._recorder.tool_call(call, returned)
        return returned

    def find(self, tools: list[str]) -> None:
        """Search for those of the tools that are not known yet, by what they can do."""
        for tool in tools:
            if tool not in self._known and self._world.settings.by_search:
                self.search(self._world.tools.capability(tool), tool)

    def search(self, query: str, wanted: str) -> None:
        """One turn of tool search; now and then a name is called first that was never found."""
        if self._mistakes.happens("invented_tool", f"unseen:{self._recorder.turns}", 1.2) and wanted in INVENTED:
            self.model_turn(18)
            self.make(Call(INVENTED[wanted], {"query": query}))
        self.model_turn(count_tokens(query) + 8)
        found = self._world.tools.search(query)
        self._recorder.tool_call(Call(META_TOOL, {"query": query}), Returned("ok", {"tools": list(found)}, None, 35))
        self._recorder.tell(self._world.tools.descriptions([name for name in found if name not in self._known]))
        self._known.update(found)

    def ask(self, tool: str, purpose: str) -> None:
        """Ask the user to confirm a write, and wait. A user who never answers ends the run."""
        self.model_turn(30)
        draws = self._world.draws
        silent = draws.physical(f"silent:{purpose}") < 0.05
        waited = WAIT_LIMIT_MS if silent else min(WAIT_LIMIT_MS, approval_wait_ms(draws, purpose))
        self.waited_ms += waited
        self._recorder.wait(waited)
        if silent:
            raise Stopped("FAILED", "confirmation_timeout")
        self.confirmations.append({"tool": tool, "turn": self._recorder.turns})
