"""The evidence register and the claim ledger of a site, and the numbers that rest on aggregate evidence."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.verify.aggregate_evidence import (
    EvidenceNumbers,
    FromEvidence,
    check_evidence_detail,
    check_evidence_interval,
)
from generator.verify.exact import same, value_text
from generator.verify.json_files import load, within
from generator.verify.levels import levels_of
from generator.verify.lexicon import Words
from generator.verify.result import VerifyResult
from generator.verify.schemas import form_of
from generator.verify.shown import Published, published_number

_INDEX = "api/v1/index.json"
_NUMBERS = "api/v1/numbers/evidence.json"
_CLAIMS = "api/v1/claims.json"
_WITHOUT_RUNS: dict[str, Any] = {
    "batch": "evidence",
    "experiment": "evidence",
    "runset": None,
    "numerator_runset": None,
    "excluded": {},
    "change": None,
    "verdict": None,
    "tests": [],
    "sequential": None,
}
"""What every number without runs says."""


@dataclass(frozen=True)
class RegisterFiles:
    """Entries of the register in their order, numbers on aggregate evidence, the ledger (None where there is none)."""

    entries: list[dict[str, Any]]
    numbers: list[dict[str, Any]]
    ledger: dict[str, Any] | None

    @property
    def is_there(self) -> bool:
        """Whether the site has a page of claims and evidence."""
        return bool(self.entries) or self.ledger is not None


def read_register_files(
    root: Path, index: dict[str, Any], schemas: dict[str, Any], result: VerifyResult
) -> RegisterFiles:
    """What the index names of both, held against its schemas."""
    entries = [load(within(root, entry["file"])) for entry in index["evidence"]]
    numbers = [] if index["evidence_numbers"] is None else load(within(root, index["evidence_numbers"]))
    ledger = None if index["claims"] is None else load(within(root, index["claims"]))
    followed = [
        (listed["file"], entry, "register-entry") for listed, entry in zip(index["evidence"], entries, strict=True)
    ]
    followed += [(_NUMBERS, numbers, "numbers")] if index["evidence_numbers"] is not None else []
    followed += [(_CLAIMS, ledger, "claims")] if ledger is not None else []
    for address, value, schema in followed:
        result.checked["files against schemas"] += 1
        for path, found, expected in form_of(schemas[schema])(value):
            result.differ(address, path.lstrip("."), found, expected)
    for listed, entry in zip(index["evidence"], entries, strict=True):
        repeated = {"id": entry["id"], "title": entry["title"], "file": f"api/v1/evidence/{entry['id'].lower()}.json"}
        result.compare("evidence register", _INDEX, f"evidence {entry['id']}", listed, repeated)
    names = [entry["id"].lower() for entry in entries]
    result.compare("evidence register", _INDEX, "ids that stand twice", len(names) - len(set(names)), 0)
    return RegisterFiles(entries, numbers, ledger)


def check_evidence_numbers(
    register: RegisterFiles, index: dict[str, Any], metrics: dict[str, Any], words: Words, result: VerifyResult
) -> dict[str, Published]:
    """Recompute every number of the register from its published evidence; what pages must show of each, by id."""
    published: dict[str, Published] = {}
    by_id = {number["id"]: number for number in register.numbers}
    expected: list[str] = []
    levels = levels_of(index)
    for entry in (entry for entry in register.entries if entry["data"] is not None):
        evidence = EvidenceNumbers(entry, metrics)
        wanted = {evidence.prefix + evidence.tail(one): one for one in entry["data"]["numbers"]}
        made = {name: evidence.made(one) for name, one in wanted.items() if one["compares"] is None}
        made |= {name: evidence.made(one) for name, one in wanted.items() if one["compares"] is not None}
        result.compare("lists of numbers", _NUMBERS, f"numbers of {entry['id']}", entry["numbers"], list(wanted))
        expected += wanted
        for name in (name for name in wanted if name in by_id):
            number, one = by_id[name], wanted[name]
            _check_number(number, entry["id"], evidence.slice_of(one), made[name], result)
            _check_repeated(number, one, evidence.prefix, index, metrics[one["metric"]], result)
            check_evidence_interval(number, one, made[name], levels, result)
            metric = metrics[number["metric"]]
            if one["said"] is not None:
                result.compare("printed figures", name, "said", one["said"], _printed(made[name], metric, one["said"]))
            is_difference = number["compares"] is not None
            text = value_text(made[name].value, metric["unit"], metric["decimals"], is_difference)
            published[name] = published_number(number, metric, text, words)
    listed = [number["id"] for number in register.numbers]
    result.compare("lists of numbers", _NUMBERS, "ids", listed, expected)
    return published


def _printed(made: FromEvidence, metric: dict[str, Any], said: str) -> str:
    """The value as the source prints it, with as many decimals as it has."""
    text = value_text(made.value, metric["unit"], len(said.partition(".")[2]), False)
    return "".join(sign for sign in text.replace("\N{MINUS SIGN}", "-") if sign.isdigit() or sign in "-.")


def _check_number(
    number: dict[str, Any], entry: str, slice_: str | None, made: FromEvidence, result: VerifyResult
) -> None:
    place = number["id"]
    result.checked["numbers"] += 1
    if "quoted" in made.marks:
        result.limits["quoted summaries, whose records are not public"] += 1
    if not same(number["value"], made.value):
        result.differ(place, "value", number["value"], made.value)
    missing = None if made.missing is None else {"count": made.missing, "runset": None}
    for name, value in (
        *(("numerator", made.numerator), ("denominator", made.denominator), ("missing", missing)),
        *(("reason", made.reason), ("marks", made.marks), ("evidence", entry), ("variant", entry), ("slice", slice_)),
        *_WITHOUT_RUNS.items(),
    ):
        result.compare("fields of numbers on evidence", place, name, number[name], value)
    check_evidence_detail(place, "detail", number["detail"], made.detail, result)


def _check_repeated(
    number: dict[str, Any],
    wanted: dict[str, Any],
    prefix: str,
    index: dict[str, Any],
    metric: dict[str, Any],
    result: VerifyResult,
) -> None:
    """What a number repeats of its metric and of the data."""
    place = number["id"]
    compares = None if wanted["compares"] is None else [prefix + tail for tail in wanted["compares"]]
    for name, value in (
        ("compares", compares),
        ("metric", metric["id"]),
        ("metric_version", index["metric_table_version"]),
        ("unit", metric["unit"]),
        ("page", f"numbers/{place}.html"),
    ):
        result.compare("fields of numbers on evidence", place, name, number[name], value)
