"""Mock tools: frozen returns of a fixture set, the guards of governance, and the search of the delivery mode."""

from dataclasses import dataclass
from typing import Literal

from generator.model.base import Json
from generator.model.runs import Authorization
from generator.model.tools import Catalog, FixtureSet, Tool
from generator.sample.settings import Settings
from generator.sample.summary import overlap

META_TOOL = "tool_search"
SEARCH_WIDTH = 3
"""Tools that one search returns."""


@dataclass(frozen=True)
class Call:
    """A tool call that the agent wants to make."""

    tool: str
    args: dict[str, Json]


@dataclass(frozen=True)
class Returned:
    status: Literal["ok", "error", "denied"]
    result: Json
    error: str | None
    duration_ms: int


class MockTools:
    """The tools of one run."""

    def __init__(self, catalog: Catalog, fixtures: FixtureSet, settings: Settings, authorization: Authorization):
        self._tools = {tool.name: tool for tool in catalog.tools if tool.name not in settings.excluded}
        self._fixtures = fixtures
        self._governed = settings.governed
        self._newest_last = settings.newest_last
        self._granted = frozenset(authorization.granted)

    @property
    def names(self) -> list[str]:
        return list(self._tools)

    def descriptions(self, names: list[str] | None = None) -> str:
        """What the model is told of tools, all of them by default."""
        chosen = self._tools.values() if names is None else (self._tools[name] for name in names)
        return "\n".join(f"{tool.name}: {tool.description.zh}" for tool in chosen)

    def call(self, call: Call, confirmed: frozenset[str] = frozenset()) -> Returned:
        """What comes back. Guards stand before the tool and exist under governance only."""
        tool = self._tools.get(call.tool)
        if tool is None:
            return Returned("error", None, f"UNKNOWN_TOOL: {call.tool}", 3)
        guard = self._guard(tool, confirmed) if self._governed else None
        if guard is not None:
            return Returned("denied", None, guard, 2)
        for entry in self._fixtures.returns:
            if entry.tool == call.tool and contains(call.args, entry.args):
                return Returned(entry.status, self._in_order(entry.result), entry.error, entry.duration_ms)
        return Returned("error", None, "NO_RECORD_FOR_ARGUMENTS", 55)

    def _in_order(self, result: Json) -> Json:
        """Documents that were found, newest first or last."""
        if self._newest_last and isinstance(result, dict) and isinstance(hits := result.get("hits"), list):
            return {**result, "hits": hits[::-1]}
        return result

    def _guard(self, tool: Tool, confirmed: frozenset[str]) -> str | None:
        if tool.restricted and tool.name not in self._granted:
            return "GUARD_RESTRICTED_TOOL"
        if tool.effect == "write" and tool.name not in confirmed:
            return "GUARD_CONFIRMATION_REQUIRED"
        return None

    def search(self, query: str) -> list[str]:
        """The tools whose description shares most character pairs with the query, best first, ties by name."""
        ranked = sorted(
            self._tools.values(), key=lambda tool: (-round(overlap(query, tool.description.zh), 6), tool.name)
        )
        return [tool.name for tool in ranked[:SEARCH_WIDTH]]

    def capability(self, name: str) -> str:
        """The words one would search a tool by: its description up to the first comma."""
        return self._tools[name].description.zh.replace("（", "，").split("，")[0]


def contains(args: Json, pattern: Json) -> bool:
    """Whether arguments hold a pattern: objects by key, lists in length and order, numbers by value."""
    if isinstance(pattern, dict):
        return isinstance(args, dict) and all(
            key in args and contains(args[key], part) for key, part in pattern.items()
        )
    if isinstance(pattern, list):
        return (
            isinstance(args, list)
            and len(args) == len(pattern)
            and all(contains(arg, part) for arg, part in zip(args, pattern, strict=True))
        )
    return args == pattern
