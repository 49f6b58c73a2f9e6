"""What the effective configuration makes the agent do."""

import math
from dataclasses import dataclass

from generator.model.base import Json


@dataclass(frozen=True)
class Settings:
    """The effective configuration, typed. The agent reads nothing else of its variant."""

    strategy: str
    recent_n: int
    summary_tokens: int
    budget_tokens: int
    governed: bool
    by_search: bool
    temperature: float
    excluded: frozenset[str]
    max_steps: int
    max_calls: int

    @property
    def mistake_factor(self) -> float:
        """Mistakes grow with the temperature: 0.7 at 0, 0.92 at 0.2, 1.8 at 1."""
        return 0.7 + 1.1 * self.temperature

    @property
    def independence(self) -> float:
        """Share of decisions taken anew in each repeat (see `draws`): 0.25 at temperature 0, 0.75 at 0.2, all at 1."""
        return 0.25 + 0.75 * math.sqrt(math.sqrt(min(1.0, self.temperature)))


def settings_of(effective: dict[str, Json]) -> Settings:
    """Read a configuration as `configs` writes it; KeyError where a key is missing."""
    context, sampling = _part(effective, "context"), _part(effective, "sampling")
    limits, governance = _part(effective, "limits"), _part(effective, "governance")
    excluded = effective["excluded_tools"]
    assert isinstance(excluded, list)
    return Settings(
        strategy=str(context["strategy"]),
        recent_n=_whole(context, "recent_n"),
        summary_tokens=_whole(context, "summary_tokens"),
        budget_tokens=_whole(context, "budget_tokens"),
        governed=governance["profile"] == "governed",
        by_search=effective["tool_delivery"] == "search",
        temperature=float(str(sampling["temperature"])),
        excluded=frozenset(map(str, excluded)),
        max_steps=_whole(limits, "max_agent_steps"),
        max_calls=_whole(limits, "max_tool_calls"),
    )


def _part(config: dict[str, Json], key: str) -> dict[str, Json]:
    part = config[key]
    assert isinstance(part, dict)
    return part


def _whole(config: dict[str, Json], key: str) -> int:
    value = config[key]
    assert isinstance(value, int)
    return value
