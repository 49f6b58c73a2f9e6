"""That mutants change one component of the agent alone, as far as their published configurations show it."""

from typing import Any

from generator.verify.result import VerifyResult

_COMPONENTS = ("prompt", "tool", "model", "context")


def note_components(address: str, evidence: dict[str, Any], head: dict[str, Any], result: VerifyResult) -> None:
    """All runs of a mutation batch agree on each component, those aside whose mutant changes it."""
    if head["kind"] != "mutation":
        return
    variant = next((variant for variant in head["variants"] if variant["id"] == evidence["variant"]), None)
    agent: Any = evidence["config"].get("effective", {})
    for key in head["independent_variable"].split("."):
        agent = agent.get(key) if isinstance(agent, dict) else None
    if variant is None or not isinstance(agent, dict):
        return
    changed = "" if variant["mutation"] is None else variant["mutation"]["operator"].partition("_")[0]
    for component in _COMPONENTS:
        if component != changed:
            facts = (head["id"], component)
            result.agreement.note("unchanged component", facts, repr(agent.get(component)), address, one_way=True)
