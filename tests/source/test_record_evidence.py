"""Numbers on aggregate evidence are recorded as those of a batch are, and change with a note alone."""

from pathlib import Path

import pytest

from generator.errors import Refused
from generator.pipeline import build_site, check_source, read_checked
from generator.source.record import record_site
from tests.support.audit_files import Audit
from tests.support.small_source import SmallSource, write_small_source

LEDGER = "published/evidence.json"


def write(root: Path, passed: int, note: bool = False) -> Path:
    def edit(source: SmallSource) -> None:
        audit = Audit()
        audit.data["figures"][1]["value"] = passed
        audit.number(2).pop("said")
        audit.number(7).pop("said")
        audit.write(source)
        if note:
            reason = {"zh": "数目更正", "en": "A figure is corrected"}
            number = {"number": "evidence/*", "date": "2026-12-01", "reason": reason}
            source.publication["restatements"] = [number]

    return write_small_source(root, edit)


def test_a_recorded_figure_changes_with_a_note(tmp_path: Path) -> None:
    source = write(tmp_path / "source", 7)
    build_site(source, tmp_path / "site", jobs=1, export=None, progress=lambda step: None)
    recorded, findings = record_site(tmp_path / "site", source)
    assert findings == []
    assert [entry.file for entry in recorded][-1] == LEDGER
    assert read_checked(source)[1] == []
    write(source, 8)
    with pytest.raises(Refused) as refused:
        check_source(source, jobs=1, progress=lambda step: None)
    assert {(found.code, found.place.file) for found in refused.value.findings} == {("RC410", LEDGER)}
    write(source, 8, note=True)
    build_site(source, tmp_path / "again", jobs=1, export=None, progress=lambda step: None)
    page = (tmp_path / "again/numbers/evidence/e02/case_pass_rate.html").read_text(encoding="utf-8")
    assert "70.00% 7/10" in page
    assert "数目更正" in page
