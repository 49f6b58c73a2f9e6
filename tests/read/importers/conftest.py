"""Tests of real files are collected where the files are; a line at the end says how many there were."""

import pytest

from tests.support.shared import REAL, expected_figures, real_is_there

collect_ignore = [] if real_is_there() else ["test_real.py", "test_real_others.py"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    folders = ("tau-bench/", "tau2-bench/", "inspect/", "promptfoo/", "lm-eval/", "derived-edge/")
    count = sum(name.startswith(folders) for name in expected_figures())
    where = REAL if count else "absent: set RUNCITE_SHARED to the folder that holds real/"
    terminalreporter.write_line(f"real result files for importers: {count} ({where})")
