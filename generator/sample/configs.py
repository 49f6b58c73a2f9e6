"""Requested and effective configurations of a variant, and the hash of the effective one."""

import copy
from collections.abc import Iterable

from generator.model import canonical
from generator.model.base import Json

BASE: dict[str, Json] = {
    "model": "zhice-sim-1",
    "sampling": {"temperature": 0.2, "top_p": 0.95, "max_tokens": 1024},
    "context": {"strategy": "full", "recent_n": 14, "summary_tokens": 260, "budget_tokens": 360},
    "governance": {"profile": "governed", "version": 3},
    "tool_delivery": "all",
    "excluded_tools": [],
    "limits": {"max_agent_steps": 7, "max_tool_calls": 14},
    "catalog": {"id": "ops-tools-v1", "version": 1},
    "fixtures": {"id": "ops-fixtures-v1", "version": 1},
    "case_bank": {"id": "case-bank-v1", "version": 1},
    "agent_version": "reference-agent-1",
}


def configure(changes: dict[str, Json], without: Iterable[str] = ()) -> dict[str, Json]:
    """The base configuration without some keys, and with values set at paths (dots between keys)."""
    left_out = set(without)
    config = {key: value for key, value in copy.deepcopy(BASE).items() if key not in left_out}
    for path, value in changes.items():
        *parents, last = path.split(".")
        place = config
        for key in parents:
            inner = place.setdefault(key, {})
            assert isinstance(inner, dict)
            place = inner
        place[last] = value
    return config


def config_hash(effective: dict[str, Json]) -> str:
    """The hash of a configuration that is written here, and so has a canonical form."""
    found = canonical.config_hash(effective)
    assert found is not None
    return found
