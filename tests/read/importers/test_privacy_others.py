"""What may never be published is in nothing that the importers of further harnesses hand on."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from tests.read.importers.support import imported
from tests.support.foreign import SECRETS, write_json
from tests.support.foreign_others import (
    ERROR,
    FAILURE,
    SKIPPED,
    agentrial_file,
    agentrial_trial,
    deepeval_case,
    deepeval_file,
    junit_case,
    openhands_row,
    spans,
    write_junit,
    write_lines,
    write_trajectory,
)

FILES: dict[str, Callable[[Path], Path]] = {
    "deepeval": lambda root: write_json(root / "d.json", deepeval_file(deepeval_case(), deepeval_case(success=False))),
    "agentrial": lambda root: write_json(
        root / "a.json", agentrial_file(x=[agentrial_trial(0), agentrial_trial(1, False)])
    ),
    "junit": lambda root: write_junit(
        root / "j.xml",
        *(junit_case(f"t{place}", inside) for place, inside in enumerate(("", FAILURE, ERROR, SKIPPED))),
    ),
    "otel-genai": lambda root: write_lines(root / "o.jsonl", *spans()),
    "openhands": lambda root: write_lines(
        root / "output.jsonl", openhands_row(), openhands_row("b", error="SECRET-TRACEBACK")
    ),
    "swe-agent": lambda root: write_trajectory(root, "folder", "case"),
}


@pytest.mark.parametrize("harness", FILES)
def test_no_secret_is_handed_on(tmp_path: Path, harness: str) -> None:
    path = FILES[harness](tmp_path)
    planted = [secret for secret in SECRETS if secret in path.read_text(encoding="utf-8")]
    assert "SECRET-LAUNCH-KEY" in planted
    written = msgspec.json.encode(imported(harness, path)).decode()
    assert [secret for secret in planted if secret in written] == []
