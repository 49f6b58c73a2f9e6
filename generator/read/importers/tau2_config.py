"""The configuration of a τ²-bench file. Launch arguments can hold keys of services: only named ones pass."""

import hashlib
import json

from generator.model.base import Json
from generator.read.importers.arguments import SAMPLING
from generator.read.importers.values import as_count, as_list, as_object, as_text, drop_absent


def effective_config(content: dict[str, Json], info: dict[str, Json], policy: str | None) -> dict[str, Json]:
    """What was in effect for every run of the file.

    The simulated user's guidelines and the definitions of the tools stand as a hash: whether two files differ in them
    matters, their text does not.
    """
    agent, user = as_object(info.get("agent_info")), as_object(info.get("user_info"))
    environment = as_object(info.get("environment_info"))
    implementation = as_text(agent.get("implementation")) or as_text(content.get("agent"))
    parts: dict[str, Json] = drop_absent(
        harness="tau2-bench",
        agent=drop_absent(implementation=implementation) or None,
        model=as_text(agent.get("llm")) or as_text(content.get("model")),
        sampling=SAMPLING.passed(agent.get("llm_args")) or None,
        user_simulator=drop_absent(
            implementation=as_text(user.get("implementation")),
            llm=as_text(user.get("llm")),
            guidelines_sha256=_digest(user.get("global_simulation_guidelines")),
            **SAMPLING.passed(user.get("llm_args")),
        )
        or None,
        limits=drop_absent(
            max_steps=as_count(info.get("max_steps")),
            max_errors=as_count(info.get("max_errors")),
        )
        or None,
        seed=as_count(info.get("seed")),
        git_commit=as_text(info.get("git_commit")),
    )
    parts["environment_info"] = drop_absent(
        domain_name=as_text(environment.get("domain_name")) or as_text(content.get("domain")),
        policy=policy,
        tool_defs_sha256=_digest(environment.get("tool_defs")),
    )
    return parts


def withheld_arguments(info: dict[str, Json]) -> int:
    """How many launch arguments of agent and user did not pass."""
    parts = (as_object(info.get(part)).get("llm_args") for part in ("agent_info", "user_info"))
    return sum(SAMPLING.withheld(given) for given in parts)


def catalog(info: dict[str, Json]) -> list[str] | None:
    """Names of the tools the agent had; None where the file does not say."""
    definitions = as_object(info.get("environment_info")).get("tool_defs")
    if not isinstance(definitions, list):
        return None
    names = []
    for definition in as_list(definitions):
        given = as_object(definition)
        name = as_text(given.get("name")) or as_text(as_object(given.get("function")).get("name"))
        if name is None:
            return None
        names.append(name)
    return names


def _digest(value: Json) -> str | None:
    if value is None:
        return None
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False)
    return "sha256:" + hashlib.sha256(text.encode("utf-8")).hexdigest()
