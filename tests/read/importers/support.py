"""Shared by the tests of the importers."""

import datetime
from pathlib import Path
from typing import Any

from generator.errors import Finding
from generator.model.imported import ImportedBatch, ImportOptions
from generator.model.runs import Run, ToolCall
from generator.read.importers import IMPORTERS

DAY = datetime.date(2026, 5, 6)


def options(**changes: Any) -> ImportOptions:
    given: dict[str, Any] = {"experiment": "an-experiment", "batch": "a-batch", "date": DAY}
    return ImportOptions(**(given | changes))


def imported(harness: str, *paths: Path, **changes: Any) -> ImportedBatch:
    """What the files hold; fails with the findings where they are refused."""
    batch, findings = IMPORTERS[harness](list(paths), options(**changes))
    assert findings == []
    assert batch is not None
    return batch


def refused(harness: str, *paths: Path, **changes: Any) -> list[Finding]:
    """The findings; nothing may have been imported."""
    batch, findings = IMPORTERS[harness](list(paths), options(**changes))
    assert batch is None
    return findings


def tool_calls(run: Run) -> list[ToolCall]:
    return [step for step in run.trace or [] if isinstance(step, ToolCall)]
