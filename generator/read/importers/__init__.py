"""One file a harness: foreign result files → an imported batch."""

from generator.read.importers import (
    agentrial,
    deepeval,
    every_eval_ever,
    inspect,
    junit,
    lm_eval,
    openhands,
    otel_genai,
    promptfoo,
    swe_agent,
    tau2_bench,
    tau_bench,
)
from generator.read.importers.detect import Chosen, choose_files
from generator.read.importers.importer import Importer
from generator.read.importers.run_ids import taken_run_ids

__all__ = ["IMPORTERS", "Chosen", "Importer", "choose_files", "taken_run_ids"]

IMPORTERS: dict[str, Importer] = {
    module.IMPORTER.harness.id: module.IMPORTER
    for module in (
        tau_bench,
        tau2_bench,
        inspect,
        promptfoo,
        lm_eval,
        deepeval,
        junit,
        otel_genai,
        openhands,
        swe_agent,
        agentrial,
        every_eval_ever,
    )
}
"""By the name that `runcite import` takes. Nothing is imported where there is a finding."""
