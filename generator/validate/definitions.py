"""All rules that definitions and heads of batches must keep, before any run is read."""

from generator.errors import Finding
from generator.model.source import Source
from generator.validate.cases import check_cases
from generator.validate.claims import check_ledger
from generator.validate.contracts import check_contracts
from generator.validate.experiments import check_experiments
from generator.validate.heads import check_head
from generator.validate.ids import check_ids
from generator.validate.metrics import check_metrics
from generator.validate.profiles import check_profiles
from generator.validate.prose import check_prose
from generator.validate.publication import check_publication, check_texts, check_whitelist
from generator.validate.register import check_register
from generator.validate.times import check_times
from generator.validate.tools import check_tool_files


def check_definitions(source: Source, judged: frozenset[str]) -> list[Finding]:
    """Findings of every definition file and of the heads of the published batches.

    Parameters
    ----------
    judged : frozenset[str]
        Ids of the metrics that have code.
    """
    findings = [
        *check_metrics(source, judged),
        *check_experiments(source),
        *check_cases(source),
        *check_tool_files(source),
        *check_contracts(source),
        *check_profiles(source),
        *check_whitelist(source),
        *check_publication(source),
        *check_times(source),
        *check_texts(source),
        *check_ids(source),
        *check_prose(source),
        *check_register(source),
        *check_ledger(source),
    ]
    for item in source.batches:
        findings += check_head(source, item)
    return findings
