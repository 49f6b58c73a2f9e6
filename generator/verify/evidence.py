"""One evidence file: it is what the batch file lists, holds what the whitelist allows, and agrees with itself."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from generator.verify.attribution import Cause, causes_of, without_entries
from generator.verify.behaviour import FEATURES, Reached, reached_by
from generator.verify.canonical import config_hash
from generator.verify.components import note_components
from generator.verify.contracts import contract_problems
from generator.verify.exact import plain_decimal
from generator.verify.json_files import parse, within
from generator.verify.names import file_name
from generator.verify.recorded import Recorded, recorded_in
from generator.verify.rederive import RULES, WITHHELD, Ground, ground_of, rederive
from generator.verify.result import VerifyResult
from generator.verify.schemas import Form
from generator.verify.timed import Timed, stratum_of, timed_in
from generator.verify.whitelist import Allowed, breaches, is_published

EVIDENCE_SCHEMA = "evidence-v1"
VALIDITY = {"COMPLETE": "valid", "FAILED": "valid", "INVALID": "invalid", "CANCELLED": "cancelled"}
JUDGED_SOURCES = ("code_assertion", "telemetry")
_LISTED = ("run_id", "variant", "case_id", "repeat_index", "sequence", "state", "validity", "reason")
_OF_TRACE = ("trace[].kind", "trace[].tool", "trace[].status")
_OF_TELEMETRY = tuple(
    [f"telemetry.timing.{name}" for name in ("duration_ms", "event", "authority", "censored")]
    + [f"telemetry.usage.{name}" for name in ("prompt_tokens", "completion_tokens", "estimated", "cached")]
)
_PLACEHOLDER = "\u27e6\u5df2\u8131\u654f"
_OF_CASE = {
    "tool_selection_accuracy": "no_expected_tools",
    "required_retention_rate": "no_required_items",
    "key_fact_presence_rate": "no_key_facts",
    "forbidden_fact_leak_rate": "no_stale_facts",
    "call_relation_pass_rate": "no_call_relation",
}
"""Metrics that a case decides alone whether they apply, and the reason why not."""


class Judged(NamedTuple):
    outcome: str
    value: int | Fraction | None
    reason: str | None


@dataclass(frozen=True)
class EvidenceRun:
    """What numbers and pages need of one run, read from its evidence.

    `stratum` and `marks` are None where the whitelist does not let their telemetry through; `marks` are those that the
    run gives to a number: estimated, cached, censored.
    """

    run_id: str
    variant: str
    case: str
    category: str
    repeat: int
    sequence: int
    state: str
    validity: str
    reason: str | None
    stratum: str | None
    marks: frozenset[str] | None
    config_hash: str
    configured: frozenset[str]
    line: int
    assertions: dict[str, Judged]
    causes: list[Cause]
    reached: Reached
    follows: str | None
    recorded: Recorded
    timed: Timed


@dataclass(frozen=True)
class EvidenceRules:
    """What the site publishes of the form of evidence: metric table, whitelist, schemas (of evidence and details).

    `hashes` keeps those of configurations, which many runs share, `configured` the numbers in them as they are written.
    """

    metrics: dict[str, Any]
    allowed: Allowed
    projection_version: int
    form: Form
    details: dict[str, Form]
    hashes: dict[str, str] = field(default_factory=dict)
    configured: dict[str, frozenset[str]] = field(default_factory=dict)

    @property
    def telemetry_is_shown(self) -> bool:
        return all(is_published(self.allowed, path) for path in _OF_TELEMETRY)

    @property
    def trace_is_shown(self) -> bool:
        return all(is_published(self.allowed, path) for path in _OF_TRACE)


def read_evidence(
    root: Path, head: dict[str, Any], listed: dict[str, Any], rules: EvidenceRules, result: VerifyResult
) -> EvidenceRun | None:
    """The run behind one entry of the batch file; None where its evidence cannot be read."""
    address: str = listed["evidence"]
    with result.reading(address):
        data = within(root, address).read_bytes()
        evidence = parse(data.decode("utf-8"))
        sha256 = hashlib.sha256(data).hexdigest()
        result.compare("evidence files", address, "SHA-256", listed["sha256"], sha256)
        _check_form(address, evidence, rules, result)
        _check_place(address, evidence, head, listed, result)
        _check_config(address, evidence, rules, result)
        note_components(address, evidence, head, result)
        _check_assertions(address, evidence, head, rules, result)
        if not evidence["source"]["redactions"] and _PLACEHOLDER in data.decode("utf-8"):
            result.differ(address, "source.redactions", "none", "counts of what was replaced")
        return _run(evidence, rules)
    return None


def _check_form(address: str, evidence: dict[str, Any], rules: EvidenceRules, result: VerifyResult) -> None:
    result.checked["evidence files against schema and whitelist"] += 1
    for path, found, expected in rules.form(evidence):
        result.differ(address, path.lstrip("."), found, expected)
    for path, found, expected in breaches(evidence, rules.allowed):
        result.differ(address, path, found, expected)
    result.compare("fields of runs", address, "schema", evidence["schema"], EVIDENCE_SCHEMA)
    version = evidence["projection_version"]
    result.compare("fields of runs", address, "projection_version", version, rules.projection_version)


def _check_place(
    address: str, evidence: dict[str, Any], head: dict[str, Any], listed: dict[str, Any], result: VerifyResult
) -> None:
    for name in _LISTED:
        result.compare("fields of runs", address, name, listed[name], evidence[name])
    for name, value in (("batch", head["id"]), ("experiment", head["experiment"])):
        result.compare("fields of runs", address, name, evidence[name], value)
    folder = f"runs/{file_name(head['id'])}/{file_name(evidence['run_id'])}"
    result.compare("addresses of runs", address, "evidence", address, f"{folder}.json")
    result.compare("addresses of runs", address, "page", listed["page"], f"{folder}.html")
    result.compare("fields of runs", address, "validity", evidence["validity"], VALIDITY[evidence["state"]])
    case = next((case for case in head["cases"] if case["id"] == evidence["case_id"]), None)
    if case is not None:
        result.compare("fields of runs", address, "category", evidence["category"], case["category"])
    source, batch = evidence["source"], (head["id"], evidence["source"]["file"])
    result.agreement.note("hash of a source file", batch, source["sha256"], address, one_way=True)
    result.agreement.note("line of a source file", (*batch, source["line"]), evidence["run_id"], address)


def _check_config(address: str, evidence: dict[str, Any], rules: EvidenceRules, result: VerifyResult) -> None:
    effective = evidence["config"].get("effective", {})
    written = repr(effective)
    if written not in rules.hashes:
        rules.hashes[written] = config_hash(effective)
    digest, recomputed = evidence["config_hash"], rules.hashes[written]
    result.agreement.note("published configuration", (evidence["batch"], digest), recomputed, address, one_way=True)
    if evidence["source"]["config_hash_recomputable"]:
        result.compare("configuration hashes", address, "config_hash", digest, recomputed)
    else:
        result.limits[f"runs of {evidence['batch']} with the configuration {digest}, of which a value is withheld"] += 1
        if digest == recomputed:
            result.differ(address, "config_hash_recomputable", False, "true: nothing is withheld")


def _config_numbers(config: dict[str, Any], rules: EvidenceRules) -> frozenset[str]:
    written = repr(config)
    if written not in rules.configured:
        rules.configured[written] = frozenset(_numbers_in(config))
    return rules.configured[written]


def _numbers_in(value: Any) -> Iterator[str]:
    """Decimal numbers as JSON and people write them: 0 may be 0.0 too."""
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _numbers_in(item)
    elif isinstance(value, Fraction):
        yield plain_decimal(value)


def _check_assertions(
    address: str, evidence: dict[str, Any], head: dict[str, Any], rules: EvidenceRules, result: VerifyResult
) -> None:
    assertions = evidence["assertions"]
    is_valid = VALIDITY[evidence["state"]] == "valid"
    judged = [name for name, metric in rules.metrics.items() if metric["source"] in JUDGED_SOURCES] if is_valid else []
    result.compare("runs with all assertions", address, "metrics", sorted(assertions), sorted(judged))
    ground = ground_of(evidence, rules.trace_is_shown)
    for metric, assertion in assertions.items():
        _check_assertion(address, metric, assertion, ground, rules, result)
        _note_case(address, metric, assertion, evidence, result)
    for what, published, recomputed in contract_problems(evidence, head["contract"], rules.trace_is_shown):
        result.differ(f"{address} contract", what, published, recomputed)
    if is_valid:
        _check_causes(address, evidence, head["pass_metric"], rules, result)
    else:
        result.compare("attributions", address, "attribution", evidence["attribution"], [])


def _check_assertion(
    address: str,
    metric: str,
    assertion: dict[str, Any],
    ground: Ground,
    rules: EvidenceRules,
    result: VerifyResult,
) -> None:
    place = f"{address} {metric}"
    for path, found, expected in rules.details[metric](assertion["detail"]):
        result.differ(place, f"detail{path}", found, expected)
    source = rules.metrics[metric]["source"]
    if source == "telemetry" and not rules.telemetry_is_shown and metric != "avg_turns":
        result.limits["telemetry that the whitelist does not show"] += 1
        return
    result.checked["assertions"] += 1
    for what, published, recomputed in rederive(metric, source, assertion, ground):
        result.differ(place, what, published, recomputed)
    if metric not in RULES and metric not in FEATURES:
        result.limits[f"assertions of {metric}, for which there is no rule"] += 1
    elif metric in WITHHELD and assertion["outcome"] != "not_applicable":
        result.limits[f"assertions of {metric}, as far as they rest on {WITHHELD[metric]}"] += 1


def _note_case(
    address: str, metric: str, assertion: dict[str, Any], evidence: dict[str, Any], result: VerifyResult
) -> None:
    """What a case expects is the same for all its runs, though it is not published."""
    facts = (evidence["batch"], evidence["case_id"], metric)
    detail, reason = assertion["detail"], assertion["reason"]
    if metric in _OF_CASE:
        applies = reason if reason in (_OF_CASE[metric], "case_not_in_bank") else "applies"
        result.agreement.note("whether a metric applies to a case", facts, applies, address, one_way=True)
    if not detail or evidence["source"]["redactions"]:
        return
    expected: object = None
    if metric == "tool_selection_accuracy":
        expected = sorted({*detail["called"], *detail["missing"]} - set(detail["extra"]))
    elif metric == "required_retention_rate":
        expected = sorted(entry for name in ("kept", "missing", "truncated", "changed") for entry in detail[name])
    elif metric == "key_fact_presence_rate":
        expected = sorted(detail["present"] + detail["missing"])
    elif metric == "forbidden_fact_leak_rate":
        expected = detail["checked"]
    if expected is not None:
        result.agreement.note("what a case expects", facts, str(expected), address, one_way=True)


def _check_causes(
    address: str, evidence: dict[str, Any], pass_metric: str, rules: EvidenceRules, result: VerifyResult
) -> None:
    published = [_cause(cause) for cause in evidence["attribution"]]
    expected = causes_of(evidence, pass_metric)
    if evidence["source"]["redactions"] or not is_published(rules.allowed, "reason"):
        # What is replaced in one text may stand in another: compare what no replacement touches.
        published, expected = (without_entries(causes) for causes in (published, expected))
    result.compare("attributions", address, "attribution", published, expected)


def _cause(cause: dict[str, Any]) -> Cause:
    return cause["layer"], cause["metric"], cause["entries"]


def _run(evidence: dict[str, Any], rules: EvidenceRules) -> EvidenceRun:
    timing, usage = (evidence["telemetry"].get(name) or {} for name in ("timing", "usage"))
    shown, judged = rules.telemetry_is_shown, evidence["assertions"].items()
    stratum = stratum_of(timing["authority"], timing["event"], evidence["state"]) if shown and timing else ""
    marks = {
        "estimated": usage.get("estimated", False),
        "cached": usage.get("cached", False),
        "censored": (timing.get("censored") or "none") != "none",
    }
    return EvidenceRun(
        run_id=evidence["run_id"],
        variant=evidence["variant"],
        case=evidence["case_id"],
        category=evidence["category"],
        repeat=evidence["repeat_index"],
        sequence=evidence["sequence"],
        state=evidence["state"],
        validity=evidence["validity"],
        reason=evidence["reason"],
        stratum=stratum if shown else None,
        marks=frozenset(mark for mark, is_borne in marks.items() if is_borne) if shown else None,
        config_hash=evidence["config_hash"],
        configured=_config_numbers(evidence["config"], rules),
        line=evidence["source"]["line"],
        assertions={metric: Judged(one["outcome"], one["value"], one["reason"]) for metric, one in judged},
        causes=[_cause(cause) for cause in evidence["attribution"]],
        reached=reached_by(evidence),
        follows=evidence["source_run_id"],
        recorded=recorded_in(evidence),
        timed=timed_in(evidence),
    )
