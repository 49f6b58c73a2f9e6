"""What stands at the end of a run: figures that tests measured, and properties that this machine cannot prove, because
skipping is not proving.

A test tells a figure with `record_property(FIGURES, text)`.
"""

import os
from collections import Counter
from collections.abc import Iterator

import pytest

FIGURES = "figures"
UNPROVEN = "NOT PROVEN"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    figures = list(_figures(terminalreporter))
    if figures:
        terminalreporter.section("figures")
        for figure in figures:
            terminalreporter.line(figure)
    reasons = [report.longrepr[2] for report in terminalreporter.stats.get("skipped", []) if _has_reason(report)]
    unproven = sorted({reason.removeprefix("Skipped: ") for reason in reasons if UNPROVEN in reason})
    if unproven:
        terminalreporter.section("not proven on this machine", red=True)
        for reason in unproven:
            terminalreporter.line(reason)

    if os.environ.get("RUNCITE_SOAK") == "1":
        passed = Counter(report.location[0] for report in terminalreporter.stats.get("passed", []))
        terminalreporter.section("tests that passed")
        for file, count in sorted(passed.items()):
            terminalreporter.line(f"{file}: {count}")


def _figures(terminalreporter: pytest.TerminalReporter) -> Iterator[str]:
    """In the order of the tests, with the file that measured."""
    for outcome in ("passed", "failed"):
        for report in terminalreporter.stats.get(outcome, []):
            for name, text in report.user_properties:
                if name == FIGURES:
                    yield f"{report.location[0]}: {text}"


def _has_reason(report: pytest.TestReport) -> bool:
    return isinstance(report.longrepr, tuple)
