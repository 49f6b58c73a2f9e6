"""What the threat model says holds is tested where it says."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def test_every_test_that_the_threat_model_names_is_there() -> None:
    text = (ROOT / "docs/threat-model.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(tests/[^`]+)`", text))
    assert len(named) > 15
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


def test_every_line_of_what_holds_names_a_test() -> None:
    text = (ROOT / "docs/threat-model.md").read_text(encoding="utf-8")
    tables = text.split("## Who attacks")[1].split("## What does not hold")[0]
    rows = [line for line in tables.splitlines() if line.startswith("| ") and not line.startswith("| with what")]
    without = [row for row in rows if "`tests/" not in row.rsplit("|", 2)[1]]
    assert [row.split("|")[1].strip() for row in without] == ["XML with entities"]
