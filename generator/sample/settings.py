"""What the effective configuration makes the agent do."""

import math
from dataclasses import dataclass, field

from generator.model.base import Json
from generator.sample.changes import (
    MODELS,
    NOISE,
    NONE,
    PROMPT_EDITS,
    SWAPPED_BACKEND,
    TOOL_DESCRIPTIONS,
    TOOL_ORDERS,
    TRANSFORMATIONS,
    Scales,
    together,
)


@dataclass(frozen=True)
class Settings:
    """The effective configuration, typed. The agent reads nothing else of its variant.

    `scales` are those of its mistakes; of its plan it sees the first `input_share`; `newest_last` turns the documents
    that a search finds around.
    """

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
    scales: Scales = field(default_factory=dict)
    input_share: float = 1.0
    newest_last: bool = False

    def scale_of(self, mistake: str) -> float:
        return self.scales.get(mistake, 1.0) * self.scales.get("*", 1.0)

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
    changed = _agent_changes(effective) if "agent" in effective else _input_changes(effective)
    return Settings(
        strategy=str(context["strategy"]),
        recent_n=_whole(context, "recent_n"),
        summary_tokens=_whole(context, "summary_tokens"),
        budget_tokens=_whole(context, "budget_tokens"),
        governed=governance["profile"] == "governed",
        by_search=effective["tool_delivery"] == "search",
        temperature=float(str(sampling["temperature"])),
        max_steps=_whole(limits, "max_agent_steps"),
        max_calls=_whole(limits, "max_tool_calls"),
        excluded=changed.excluded,
        scales=changed.scales,
        input_share=changed.input_share,
        newest_last=changed.newest_last,
    )


@dataclass(frozen=True)
class _Changes:
    excluded: frozenset[str]
    scales: Scales = field(default_factory=dict)
    input_share: float = 1.0
    newest_last: bool = False


def _agent_changes(effective: dict[str, Json]) -> _Changes:
    """Of a mutation batch: prompt, tool, model and context stand together as the `agent`."""
    agent = _part(effective, "agent")
    prompt, tool, context = _part(agent, "prompt"), _part(agent, "tool"), _part(agent, "context")
    scales = (
        PROMPT_EDITS[str(prompt["edit"])],
        TOOL_ORDERS[str(tool["order"])],
        TOOL_DESCRIPTIONS[str(tool["descriptions"])],
        MODELS[str(agent["model"])],
        NOISE[str(context["noise"])],
    )
    return _Changes(_names(tool["excluded"]), together(*scales), float(str(context["share"])))


def _input_changes(effective: dict[str, Json]) -> _Changes:
    """Of a metamorphic batch: what was done to the input."""
    excluded = _names(effective["excluded_tools"])
    if "input" not in effective:
        return _Changes(excluded, NONE)
    transformation = str(_part(effective, "input")["transformation"])
    swapped = SWAPPED_BACKEND if transformation == "backend-swapped" else frozenset[str]()
    newest_last = transformation == "documents-reversed"
    return _Changes(excluded | swapped, TRANSFORMATIONS[transformation], newest_last=newest_last)


def _names(value: Json) -> frozenset[str]:
    assert isinstance(value, list)
    return frozenset(map(str, value))


def _part(config: dict[str, Json], key: str) -> dict[str, Json]:
    part = config[key]
    assert isinstance(part, dict)
    return part


def _whole(config: dict[str, Json], key: str) -> int:
    value = config[key]
    assert isinstance(value, int)
    return value
