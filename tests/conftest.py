"""A property that this machine cannot prove is named at the end of a run: skipping is not proving."""

import pytest

UNPROVEN = "NOT PROVEN"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reasons = [report.longrepr[2] for report in terminalreporter.stats.get("skipped", []) if _has_reason(report)]
    unproven = sorted({reason.removeprefix("Skipped: ") for reason in reasons if UNPROVEN in reason})
    if unproven:
        terminalreporter.section("not proven on this machine", red=True)
        for reason in unproven:
            terminalreporter.line(reason)


def _has_reason(report: pytest.TestReport) -> bool:
    return isinstance(report.longrepr, tuple)
