"""A decision as text, JSON, JUnit XML, Markdown, and as annotations of GitHub Actions."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

import msgspec

from generator.decide.words import (
    WHY,
    counts_text,
    evidence_text,
    excluded_text,
    headline,
    interval_text,
    needed_text,
    scenario_name,
    scope,
)
from generator.model.decision_text import p_text
from generator.model.formatting import NO_VALUE, exact, signed_text
from generator.model.gate import GateReport, GateScenario
from generator.model.rules import visible_id
from generator.model.words import in_words

MISSED_SHOWN = 5
ANNOTATIONS = 10
"""GitHub shows so many of a kind for a step."""

_ORDER = ("fail", "inconclusive", "pass")
_POINT = re.compile(r"(www)\.", re.IGNORECASE)
"""What makes a link of the word that follows."""


def as_text(report: GateReport) -> str:
    """One line a scenario, those that need attention first."""
    lines = [headline(report), *(f"  because {reason}" for reason in report.reasons)]
    lines += [f"  note: {note}" for note in report.notes]
    lines += [f"  {scope(report)}", ""]
    for scenario in _by_outcome(report):
        lines.append(
            f"{scenario.outcome:<12} {scenario_name(scenario)}: {evidence_text(scenario)}; {WHY[scenario.why]}"
        )
        if scenario.outcome != "pass" and scenario.current.missed:
            lines.append(f"{'':<12} missed: {_some(scenario.current.missed)}")
        if scenario.current.waived:
            lines.append(f"{'':<12} of a waived case, and counted: {_some(scenario.current.waived)}")
        if scenario.current.excluded:
            lines.append(f"{'':<12} excluded: {excluded_text(scenario.current)}")
    return "\n".join([*lines, f"exit code {report.exit_code}"]) + "\n"


def as_json(report: GateReport) -> str:
    """Every field; ASCII, because ids may hold what no encoding has."""
    return json.dumps(msgspec.to_builtins(report), ensure_ascii=True, indent=1) + "\n"


def as_junit(report: GateReport) -> str:
    """A test case a scenario, and one for the decision.

    A failed scenario is a failure. An inconclusive one is skipped: it was not shown to be bad, and dashboards do not
    count it as passed. The case of the decision keeps such a suite from being read as green: it is an error where a
    human decides.
    """
    cases = [line for scenario in report.scenarios for line in _junit_case(scenario)]
    failures = sum(scenario.outcome == "fail" for scenario in report.scenarios)
    skipped = sum(scenario.outcome == "inconclusive" for scenario in report.scenarios)
    blocked, human = report.decision == "block", report.decision == "human"
    counts = (
        f'tests="{len(report.scenarios) + 1}" failures="{failures + blocked}" errors="{int(human)}" skipped="{skipped}"'
    )
    name = quoteattr(f"runcite gate {visible_id(report.batch)}")
    said = quoteattr(headline(report))
    because = escape("\n".join([*report.reasons, *report.notes]))
    inner = "" if not (blocked or human) else _tag("failure" if blocked else "error", said, because)
    return "\n".join(
        [
            '<?xml version="1.0" encoding="utf-8"?>',
            f"<testsuite name={name} {counts}>",
            f'  <testcase classname="runcite.gate" name="decision">{inner}</testcase>',
            *cases,
            f"  <system-out>{escape(scope(report))}</system-out>",
            "</testsuite>",
            "",
        ]
    )


def _junit_case(scenario: GateScenario) -> Iterator[str]:
    classname = quoteattr(f"{visible_id(scenario.variant)}.{scenario.metric}")
    name = quoteattr(visible_id(scenario.slice or "all cases"))
    why = quoteattr(WHY[scenario.why])
    rest = {
        "number": scenario.current.number or NO_VALUE,
        "missed": _some(scenario.current.missed),
        "of a waived case, and counted": _some(scenario.current.waived) or "none",
        "excluded": excluded_text(scenario.current) or "none",
    }
    evidence = "\n".join([evidence_text(scenario), *(f"{name}: {text}" for name, text in rest.items())])
    yield f"  <testcase classname={classname} name={name}>"
    if scenario.outcome != "pass":
        yield f"    {_tag('failure' if scenario.outcome == 'fail' else 'skipped', why, escape(evidence))}"
    yield f"    <system-out>{escape(evidence)}</system-out>"
    yield "  </testcase>"


def _tag(tag: str, message: str, body: str) -> str:
    return f"<{tag} message={message}>{body}</{tag}>"


def as_markdown(report: GateReport) -> str:
    """For a summary page: the decision, its reasons, a table."""
    lines = [f"## {_md(headline(report))}", ""]
    lines += [f"- {_md(reason)}" for reason in report.reasons]
    lines += [f"- note: {_md(note)}" for note in report.notes]
    against = "baseline | difference (points)" if report.baseline else "interval"
    heads = f"| verdict | scenario | rate | {against} | p | adjusted p | power | why |"
    lines += ["", heads, "|---" * (heads.count("|") - 1) + "|"]
    lines += [_row(scenario, report) for scenario in _by_outcome(report)]
    return "\n".join([*lines, "", _md(f"{scope(report)}. Exit code {report.exit_code}."), ""])


def _row(scenario: GateScenario, report: GateReport) -> str:
    name = _md(scenario_name(scenario))
    if report.address and scenario.current.page:
        name = f"[{name}]({report.address.rstrip('/')}/{scenario.current.page})"
    why = [WHY[scenario.why], *needed_text(scenario)]
    if report.baseline is None:
        middle = [interval_text(scenario.current.interval)]
    elif scenario.baseline is None:
        middle = [NO_VALUE, NO_VALUE]
        why.insert(0, f"interval {interval_text(scenario.current.interval)}")
    else:
        points = NO_VALUE if scenario.difference is None else signed_text(exact(scenario.difference) * 100, 1)
        middle = [counts_text(scenario.baseline), f"{points} {interval_text(scenario.difference_interval)}"]
    figures = [NO_VALUE if p is None else p_text(p) for p in (scenario.p, scenario.p_adjusted)]
    figures.append(NO_VALUE if scenario.power is None else f"{scenario.power * 100:.1f}%")
    cells = [scenario.outcome, counts_text(scenario.current), *middle, *figures, "; ".join(why)]
    first, *rest = map(_md, cells)
    return f"| {' | '.join([f'**{first}**', name, *rest])} |"


def annotations(report: GateReport) -> str:
    """The decision, and the scenarios that need attention, as workflow commands."""
    level = {"deploy": "notice", "block": "error", "human": "warning"}[report.decision]
    lines = [_command(level, "runcite gate", "\n".join([headline(report), *report.reasons]))]
    for outcome, kind in (("fail", "error"), ("inconclusive", "warning")):
        found = [scenario for scenario in report.scenarios if scenario.outcome == outcome]
        for scenario in found[: ANNOTATIONS - 1]:
            text = f"{evidence_text(scenario)}; {WHY[scenario.why]}"
            lines.append(_command(kind, f"{outcome}: {scenario_name(scenario)}", text))
    return "".join(f"{line}\n" for line in lines)


def _by_outcome(report: GateReport) -> list[GateScenario]:
    return sorted(report.scenarios, key=lambda scenario: _ORDER.index(scenario.outcome))


def _some(runs: Sequence[str]) -> str:
    """The first run ids, the rest counted."""
    shown = in_words(map(visible_id, runs[:MISSED_SHOWN])) if runs else ""
    return shown if len(runs) <= MISSED_SHOWN else f"{shown} and {len(runs) - MISSED_SHOWN} more"


def _md(text: str) -> str:
    """Plain text in Markdown: what could be markup, a link or the border of a cell becomes a reference.

    A reference does not keep GitHub from taking `@name` for a mention, so that sign is shown by its code point.
    """
    kept = _POINT.sub(r"\1&#46;", "".join(mark if _is_plain(mark) else f"&#{ord(mark)};" for mark in text))
    return kept.replace("&#64;", "⟦U+0040⟧")


def _is_plain(mark: str) -> bool:
    return mark.isalnum() or mark in " ,.;()+-/%−—·'⟦⟧"


def _command(level: str, title: str, message: str) -> str:
    return f"::{level} title={_property(title)}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


GATE_FORMATS: dict[str, Callable[[GateReport], str]] = {
    "text": as_text,
    "json": as_json,
    "junit": as_junit,
    "markdown": as_markdown,
}
"""By the name that `--format` takes."""
