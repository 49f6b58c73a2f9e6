"""Rules that one run must keep by itself."""

import datetime
import itertools
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import msgspec

from generator.errors import Finding, Place
from generator.model import canonical
from generator.model.base import Json
from generator.model.json_leaves import leaves
from generator.model.rows import RunRow
from generator.model.rules import few, finding, visible_id
from generator.model.runs import INVALID_REASONS, ModelTurn, Run
from generator.model.source import BatchSource, Source
from generator.model.words import did_you_mean, kind_of, one_of
from generator.validate.common import is_reason
from generator.validate.ids import id_problem

MAX_FINDINGS = 100
"""Of one run."""
MAX_AMOUNT = 2**53
"""The largest count that every JSON reader keeps exactly."""

_HASH = re.compile(r"sha256:[0-9a-f]{64}")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?(Z|\+00:00)")


class RunRules(NamedTuple):
    """What the runs of a batch may name; made once a batch. `variants` and `cases` are None where the experiment or the
    case bank is not known, which is a finding of its own."""

    file: str
    experiment: str
    bank: str
    variants: dict[str, None] | None
    cases: dict[str, None] | None
    repeats: int


def make_run_rules(batch: BatchSource, source: Source) -> RunRules:
    head = batch.batch
    experiment, bank = source.experiments.get(head.experiment), source.case_banks.get(head.case_bank.id)
    return RunRules(
        file=batch.runs.name,
        experiment=head.experiment,
        bank=head.case_bank.id,
        variants=None if experiment is None else dict.fromkeys(variant.id for variant in experiment.variants),
        cases=None if bank is None else dict.fromkeys(case.id for case in bank.cases),
        repeats=head.planned.repeats,
    )


def has_known_cell(run: RunRow, rules: RunRules) -> bool:
    """Whether variant, case and repeat are known; if not, that is a finding of the run itself (RC202, RC203, RC204)."""
    return (
        (rules.variants is None or run.variant in rules.variants)
        and (rules.cases is None or run.case_id in rules.cases)
        and 0 <= run.repeat_index < rules.repeats
    )


def check_run(run: Run, line: int, rules: RunRules) -> list[Finding]:
    """All findings of one run; `line` is its line in the runs file."""
    place = Place(rules.file, line, visible_id(run.run_id))
    problems = itertools.chain(
        check_id(run, place),
        check_cell(run, place, rules),
        check_reason(run, place),
        check_config_hash(run, place),
        check_amounts(run, place),
        check_censoring(run, place),
        check_times(run, place),
        check_verdict(run, place),
    )
    return few(problems, MAX_FINDINGS, place)


def _at(place: Place, field: str) -> Place:
    return Place(place.file, place.line, place.run, field)


def check_id(run: Run, place: Place) -> Iterator[Finding]:
    """RC201: any Unicode that can be written down in one line, but for what would look like a mark of this program."""
    nameless = Place(place.file, place.line) if not run.run_id.strip() else place
    for field, identifier in (("run_id", run.run_id), ("source_run_id", run.source_run_id)):
        problem = None if identifier is None else id_problem(identifier)
        if problem is not None:
            yield finding("RC201", _at(nameless, field), *problem)


def check_cell(run: Run, place: Place, rules: RunRules) -> Iterator[Finding]:
    """RC202, RC203, RC204: variant, case and repeat index are known; RC208 for the sequence."""
    if rules.variants is not None and run.variant not in rules.variants:
        expected = one_of(rules.variants, f"a variant of `{rules.experiment}`")
        remedy = f"correct the variant, or register it in the experiment `{rules.experiment}`"
        remedy = did_you_mean(run.variant, rules.variants, remedy)
        yield finding("RC202", _at(place, "variant"), expected, f"`{visible_id(run.variant)}`", remedy)
    if rules.cases is not None and run.case_id not in rules.cases:
        expected = f"a case of cases/{rules.bank}.yaml"
        remedy = did_you_mean(run.case_id, rules.cases, "correct the case, or add it to the bank")
        yield finding("RC203", _at(place, "case_id"), expected, f"`{visible_id(run.case_id)}`", remedy)
    if not 0 <= run.repeat_index < rules.repeats:
        expected, remedy = f"0 to {rules.repeats - 1}", "count repeats from 0, or correct the planned grid"
        yield finding("RC204", _at(place, "repeat_index"), expected, str(run.repeat_index), remedy)
    if run.sequence < 0:
        remedy = "number the runs in the order of their execution"
        yield finding("RC208", _at(place, "sequence"), "0 or more", str(run.sequence), remedy)


def check_reason(run: Run, place: Place) -> Iterator[Finding]:
    """RC205: COMPLETE has no reason; every other state has one, in snake_case."""
    where = _at(place, "reason")
    if run.state == "COMPLETE":
        if run.reason is not None:
            yield finding("RC205", where, "null for COMPLETE", "a reason", "remove it, or correct the state")
    elif run.reason is None or not is_reason(run.reason):
        expected = f"a reason in snake_case for {run.state}"
        if run.state == "INVALID":
            expected += f", such as {', '.join(INVALID_REASONS)}"
        found = "none" if run.reason is None else "a text of another form"
        yield finding("RC205", where, expected, found, "name the reason as a code")


def check_config_hash(run: Run, place: Place) -> Iterator[Finding]:
    """RC206, RC207: the hash is that of the effective configuration in RFC 8785 form."""
    recomputed = config_hash(run.config.effective)
    if recomputed is None:
        field, found = _not_canonical(run.config.effective)
        remedy = "write the value as a text that can be encoded"
        yield finding("RC206", _at(place, field), "values that RFC 8785 can write", found, remedy)
    elif run.config_hash != recomputed:
        known = _HASH.fullmatch(run.config_hash) is not None
        found = run.config_hash if known else "a text that is not sha256: and 64 hex digits"
        if known and run.config_hash == config_hash(run.config.requested):
            found = f"{found}, the hash of the requested configuration"
        remedy = "correct the configuration or its hash: equal configurations have equal hashes"
        yield finding("RC207", _at(place, "config_hash"), recomputed, found, remedy)


def config_hash(effective: dict[str, Json]) -> str | None:
    """The hash of a configuration; None where there is none."""
    try:
        return _hash_of_json(msgspec.json.encode(effective))
    except (UnicodeEncodeError, msgspec.MsgspecError, OverflowError, RecursionError):
        return None


def _not_canonical(effective: dict[str, Json]) -> tuple[str, str]:
    """Where a configuration has no canonical form, to its first key, and why: deeper keys may not be for everybody."""
    for keys, value in leaves(effective):
        if isinstance(value, int) and abs(value) > MAX_AMOUNT:
            return f"config.effective.{visible_id(keys[0])}", "an integer beyond 2^53"
    return "config.effective", "an integer beyond 2^53 in a list, or a text that is not Unicode"


@lru_cache(maxsize=256)
def _hash_of_json(encoded: bytes) -> str | None:
    """Runs of a batch share few configurations; the canonical form is slow to make."""
    return canonical.config_hash(msgspec.json.decode(encoded))


def check_amounts(run: Run, place: Place) -> Iterator[Finding]:
    """RC208: tokens, durations, costs and turns are not negative, and small enough to be exact."""
    for field, amount in _amounts(run):
        if amount is not None and not 0 <= amount <= MAX_AMOUNT:
            found = "a negative number" if amount < 0 else "a larger number"
            remedy = "write null where nothing was measured"
            yield finding("RC208", _at(place, field), "0 to 2^53", found, remedy)


def check_censoring(run: Run, place: Place) -> Iterator[Finding]:
    """RC211: what is said to be missing has no value."""
    timing = run.timing
    if timing is not None and timing.censored == "missing" and timing.duration_ms is not None:
        remedy = "write null where the duration is missing, or say that it was measured or cut off"
        yield finding("RC211", _at(place, "timing.duration_ms"), "null, for `censored: missing`", "a duration", remedy)


def _amounts(run: Run) -> Iterator[tuple[str, int | float | None]]:
    if run.usage is not None:
        yield "usage.prompt_tokens", run.usage.prompt_tokens
        yield "usage.completion_tokens", run.usage.completion_tokens
        yield "usage.cost_usd", run.usage.cost_usd
    if run.timing is not None:
        yield "timing.duration_ms", run.timing.duration_ms
    for number, step in enumerate(run.trace or []):
        yield f"trace[{number}].duration_ms", step.duration_ms
        if isinstance(step, ModelTurn):
            yield f"trace[{number}].prompt_tokens", step.prompt_tokens
            yield f"trace[{number}].completion_tokens", step.completion_tokens
    for number, confirmation in enumerate(run.confirmations):
        yield f"confirmations[{number}].turn", confirmation.turn


def check_times(run: Run, place: Place) -> Iterator[Finding]:
    """RC209: times are ISO 8601 in UTC, and the end is not before the start."""
    times: list[tuple[str, str | None]] = []
    if run.timing is not None:
        times += [("timing.started_at", run.timing.started_at), ("timing.ended_at", run.timing.ended_at)]
    for number, step in enumerate(run.trace or []):
        if isinstance(step, ModelTurn):
            times.append((f"trace[{number}].started_at", step.started_at))
    wrong = {field: text for field, text in times if text is not None and _time(text) is None}
    for field, text in wrong.items():
        expected, remedy = "YYYY-MM-DDThh:mm:ssZ", "convert the time to UTC, and say so with Z"
        found = "another form" if _TIME.fullmatch(text) is None else "a day or an hour that does not exist"
        yield finding("RC209", _at(place, field), expected, found, remedy)
    if run.timing is not None and run.timing.started_at and run.timing.ended_at and not wrong:
        start, end = _time(run.timing.started_at), _time(run.timing.ended_at)
        if start is not None and end is not None and end < start:
            found, remedy = "an end before the start", "correct the times"
            yield finding("RC209", _at(place, "timing.ended_at"), "the start or later", found, remedy)


def _time(text: str) -> datetime.datetime | None:
    """The time that a text states to the microsecond; None if it states none."""
    match = _TIME.fullmatch(text)
    if match is None:
        return None
    fraction = (match[1] or ".0")[1:7].ljust(6, "0")
    try:
        return datetime.datetime.fromisoformat(f"{text[:19]}.{fraction}")
    except ValueError:
        return None


def check_verdict(run: Run, place: Place) -> Iterator[Finding]:
    """RC210: a harness's verdict is a number, null, or true or false; repeated ones are a list of true and false."""
    reward = run.extra.get("reward")
    if isinstance(reward, bool) or not isinstance(reward, (int, float, type(None))):
        remedy = "write the reward as a number; 1 is a pass"
        yield finding("RC210", _at(place, "extra.reward"), "a number or null", kind_of(reward), remedy)
    passed = run.extra.get("passed", False)
    if not isinstance(passed, bool):
        remedy = "write true or false, or leave the key out"
        yield finding("RC210", _at(place, "extra.passed"), "true or false", kind_of(passed), remedy)
    verdicts = run.extra.get("verdicts", [])
    if not isinstance(verdicts, list) or not all(isinstance(verdict, bool) for verdict in verdicts):
        remedy = "list what the judge said each time it was asked, or leave the key out"
        found = "a list with something else" if isinstance(verdicts, list) else kind_of(verdicts)
        yield finding("RC210", _at(place, "extra.verdicts"), "a list of true and false", found, remedy)
