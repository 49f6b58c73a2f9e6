"""The release decision from the verdicts of the scenarios and the coverage."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from generator.stats.parameters import Exactable, closed_unit
from generator.stats.verdicts import Verdict

Decision = Literal["deploy", "block", "human"]

EXIT_CODES: dict[Decision, int] = {"deploy": 0, "block": 1, "human": 2}


@dataclass(frozen=True, slots=True)
class GateDecision:
    """`suite`: the verdict of all scenarios together; `coverage_reached`: None where the coverage is unknown."""

    suite: Verdict
    decision: Decision
    exit_code: int
    coverage_reached: bool | None


def suite_verdict(verdicts: Iterable[Verdict]) -> Verdict:
    """`fail` if one fails, else `inconclusive` if one is or there is none, else `pass`."""
    seen = set(verdicts)
    if "fail" in seen:
        return "fail"
    return "pass" if seen == {"pass"} else "inconclusive"


def gate(verdicts: Iterable[Verdict], coverage: Exactable | None, minimum: Exactable) -> GateDecision:
    """Deploy, block, or ask a human.

    Parameters
    ----------
    verdicts : iterable of Verdict
        One a scenario.
    coverage : float, Fraction or None
        Overall coverage in [0, 1]; None where it is not known.
    minimum : float or Fraction
        The coverage that a deployment needs, in [0, 1].

    Returns
    -------
    GateDecision: a failed suite blocks, whatever the coverage is; a passed one with at least the minimum deploys; all
    else is for a human, no scenario and unknown coverage included.

    Raises
    ------
    ValueError
        coverage or minimum outside [0, 1].

    Source
    ------
    AgentAssay §6.2.
    """
    needed = closed_unit(minimum, "minimum")
    reached = None if coverage is None else closed_unit(coverage, "coverage") >= needed
    suite = suite_verdict(verdicts)
    decision: Decision = "human"
    if suite == "fail":
        decision = "block"
    elif suite == "pass" and reached:
        decision = "deploy"
    return GateDecision(suite, decision, EXIT_CODES[decision], reached)
