"""Which variants of a batch a release could bring."""

from collections.abc import Iterable

from generator.model.experiments import Experiment
from generator.model.gate import GateRequest


def candidates(planned: Iterable[str], experiment: Experiment, request: GateRequest) -> list[str]:
    """All that are not the baseline of the decision, in the given order.

    Mutants are damaged on purpose, and runs that follow others have a transformed input: of such batches the original
    agent alone could be released.
    """
    if experiment.kind != "comparison":
        return [] if request.is_within else [variant for variant in planned if variant == experiment.baseline]
    own = experiment.baseline if request.is_within else None
    return [variant for variant in planned if variant != own]
