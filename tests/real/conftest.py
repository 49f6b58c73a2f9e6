"""Tests of real result files are collected where the files are; the count is said either way."""

import pytest

from tests.support.shared import REAL, real_is_there

collect_ignore = (
    [] if real_is_there() else ["test_tau2_bench_site.py", "test_tau_bench_site.py", "test_inspect_promptfoo_site.py"]
)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    state = "are there" if real_is_there() else f"are not in {REAL.name}/, and their sites were not built"
    terminalreporter.write_line(f"real result files {state}")
