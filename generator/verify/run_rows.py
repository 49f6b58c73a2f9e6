"""Rows of tables that list runs: of a number, and of a variant."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from generator.verify.evidence import EvidenceRun
from generator.verify.exact import decimal_text, value_text
from generator.verify.found import Fact
from generator.verify.lexicon import Lexicon

_ROW_KINDS = frozenset(("zh", "en", "look", "code"))


@dataclass(frozen=True)
class RunRow:
    """What a row must say: its references, in order, and after them its words, looks and codes."""

    references: list[str]
    said: list[Fact]


def split_row(row: Iterable[Fact]) -> RunRow:
    """What a row of a page says. Digits in the names of metrics are references too: they come last, or in words."""
    return RunRow([text for kind, text in row if kind == "ref"], [fact for fact in row if fact[0] in _ROW_KINDS])


def contribution(run: EvidenceRun, metric: dict[str, Any], defines: bool, lexicon: Lexicon) -> RunRow:
    """The row of a run of a number; `metric` is the one whose assertion counts, `defines` whether its value is the
    quantile."""
    judged = run.assertions.get(metric["id"])
    outcome, value, reason = (None, None, run.reason) if judged is None else judged
    references = _of_run(run)
    said = [*lexicon.named("states", run.state), *lexicon.verdict(outcome, value, metric["id"])]
    if value is not None:
        references.append(own_value(Fraction(value), metric["unit"]))
        if metric["unit"] not in ("ratio", "usd"):
            said += lexicon.named("common.unit", metric["unit"])
    if defines:
        said += lexicon.word("number.defines")
    if reason is not None:
        said += lexicon.named("reasons", reason)
    for layer, of_metric, entries in run.causes if judged is not None else ():
        if of_metric == metric["id"]:
            said += [*lexicon.layer(layer), *(("code", entry) for entry in entries)]
    return RunRow(references, said)


def listed_run(run: EvidenceRun, pass_metric: str, lexicon: Lexicon) -> RunRow:
    """The row of a run in the list of its variant."""
    judged = run.assertions.get(pass_metric)
    outcome = None if judged is None else judged.outcome
    reason = run.reason if judged is None or judged.reason is None else judged.reason
    said = [*lexicon.named("states", run.state), *lexicon.verdict(outcome, 0, pass_metric)]
    if reason is not None:
        said += lexicon.named("reasons", reason)
    return RunRow([str(run.sequence), *_of_run(run)], said)


def own_value(value: Fraction, unit: str) -> str:
    """A run's own value, with all the digits that it was recorded with."""
    decimals = 0
    while (value * 10**decimals).denominator != 1:
        decimals += 1
    return decimal_text(value, decimals) if unit == "ratio" else value_text(value, unit, decimals, False)


def _of_run(run: EvidenceRun) -> list[str]:
    return [run.run_id, run.case, str(run.repeat)]
