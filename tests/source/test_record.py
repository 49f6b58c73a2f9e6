"""`runcite record`: what a site published stays, or changes with a note that every reader can see."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from generator.cli import app
from generator.errors import Finding, Refused, SiteError
from generator.pipeline import build_site
from generator.source import record_site
from generator.verify import verify_site
from tests.support.once import small_site_once
from tests.support.small_source import BATCH_ID, SmallSource, write_small_source

LEDGER = f"published/{BATCH_ID}.json"
TOOLS = f"{BATCH_ID}/full/tool_selection_accuracy"
NOTE = {"number": f"{BATCH_ID}/*", "date": "2026-12-05", "reason": {"zh": "补判了一条", "en": "one run was rejudged"}}

Edit = Callable[[SmallSource], None]


def _mend(source: SmallSource) -> None:
    """The one run of full that chose a wrong tool chose the right one: 9 of 11 instead of 8."""
    good, wrong = (source.batch.cell("basic-02", "full", index) for index in (0, 1))
    wrong["trace"], wrong["answer"] = good["trace"], good["answer"]


def _mend_with_note(source: SmallSource) -> None:
    """And one metric is given up."""
    _mend(source)
    source.metrics["metrics"] = [metric for metric in source.metrics["metrics"] if metric["id"] != "pass_hat_4"]
    source.publication["restatements"] = [NOTE]


def _mend_more_with_note(source: SmallSource) -> None:
    """A run of budgeted too, for which nobody has given a reason."""
    _mend_with_note(source)
    good, wrong = (source.batch.cell("basic-02", "budgeted", index) for index in (2, 0))
    wrong["trace"], wrong["answer"] = good["trace"], good["answer"]


def _build(folder: Path, edit: Edit | None = None) -> Path:
    """Write the source into `folder/source` (what is recorded there stays) and build `folder/site`."""
    write_small_source(folder / "source", edit)
    build_site(folder / "source", folder / "site", jobs=1, export=None, progress=lambda step: None)
    return folder / "site"


def _record(folder: Path) -> list[tuple[str, int, int, int]]:
    recorded, findings = record_site(folder / "site", folder / "source")
    assert findings == []
    return [(entry.file, entry.numbers, entry.new, entry.restated) for entry in recorded]


def _ledger(folder: Path) -> dict[str, Any]:
    ledger: dict[str, Any] = json.loads((folder / "source" / LEDGER).read_text(encoding="utf-8"))
    return ledger


def _number(site: Path, number: str = TOOLS) -> dict[str, Any]:
    numbers = json.loads((site / f"api/v1/numbers/{BATCH_ID}.json").read_text(encoding="utf-8"))
    return next(entry for entry in numbers if entry["id"] == number)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the small source, its site, and the ledger of that."""
    folder = tmp_path_factory.mktemp("recorded")
    shutil.copytree(small_site_once(tmp_path_factory, "small").parent, folder, dirs_exist_ok=True)
    _record(folder)
    return folder


def test_the_ledger_holds_what_was_published(recorded: Path) -> None:
    ledger = _ledger(recorded)
    assert ledger["batch"] == BATCH_ID
    assert ledger["numbers"][TOOLS] == {
        "since": "2026-11-25",
        "metric_version": 1,
        "runset": _number(recorded / "site")["runset"],
        "figures": {"value": 0.727272727273, "numerator": 8, "denominator": 11},  # 8/11
        "earlier": [],
    }
    assert list(ledger["numbers"]) == sorted(entry["id"] for entry in _numbers(recorded / "site"))


def _numbers(site: Path) -> list[dict[str, Any]]:
    numbers: list[dict[str, Any]] = json.loads((site / f"api/v1/numbers/{BATCH_ID}.json").read_text(encoding="utf-8"))
    return numbers


def test_recording_again_changes_nothing(recorded: Path) -> None:
    before = (recorded / "source" / LEDGER).read_bytes()
    ((_, numbers, new, restated),) = _record(recorded)
    assert (new, restated) == (0, 0)
    assert numbers == len(_ledger(recorded)["numbers"])
    assert (recorded / "source" / LEDGER).read_bytes() == before
    assert [path.name for path in (recorded / "source/published").iterdir()] == [f"{BATCH_ID}.json"]


def test_a_change_stops_the_build_until_a_note_says_why(recorded: Path, tmp_path: Path) -> None:
    shutil.copytree(recorded, tmp_path, dirs_exist_ok=True)
    site = tmp_path / "site"
    digest = (site / "manifest.json").read_bytes()
    assert _build(tmp_path) == site
    assert (site / "manifest.json").read_bytes() == digest  # the ledger alone changes no byte

    with pytest.raises(Refused) as refused:
        _build(tmp_path, _mend)
    _assert_names_old_and_new(refused.value.findings)
    assert (site / "manifest.json").read_bytes() == digest

    _build(tmp_path, _mend_with_note)
    assert verify_site(site).agrees
    number = _number(site)
    assert (number["value"], number["numerator"]) == (0.818181818182, 9)
    restated = {
        "date": "2026-12-05",
        "old": 0.727272727273,
        "old_numerator": 8,
        "old_denominator": 11,
        "reason": NOTE["reason"],
    }
    assert number["restated"] == [restated]
    assert _number(site, f"{BATCH_ID}/budgeted/tool_selection_accuracy")["restated"] == []
    _assert_pages_say_so(site)

    before = (site / "manifest.json").read_bytes()
    ((_, _, new, count),) = _record(tmp_path)
    assert (new, count > 0) == (0, True)
    (earlier,) = _ledger(tmp_path)["numbers"][TOOLS]["earlier"]
    assert earlier == {
        "restated": "2026-12-05",
        "figures": {"value": 0.727272727273, "numerator": 8, "denominator": 11},
    }
    _build(tmp_path, _mend_with_note)
    assert (site / "manifest.json").read_bytes() == before  # recorded or not: the same site

    with pytest.raises(Refused) as refused:
        _build(tmp_path, _mend_more_with_note)
    changed = {finding.place.field for finding in refused.value.findings}
    assert {finding.code for finding in refused.value.findings} == {"RC410"}
    assert f"{BATCH_ID}/budgeted/tool_selection_accuracy" in changed


def _assert_names_old_and_new(findings: list[Finding]) -> None:
    assert {finding.code for finding in findings} == {"RC410"}
    finding = next(finding for finding in findings if finding.place.field == TOOLS)
    assert finding.place.file == LEDGER
    assert (finding.expected, finding.found) == ("0.727272727273 (8/11), as published", "0.818181818182 (9/11)")


def _assert_pages_say_so(site: Path) -> None:
    page = (site / f"numbers/{TOOLS}.html").read_text(encoding="utf-8")
    changes = {
        lang: (site / folder / "changes.html").read_text(encoding="utf-8")
        for lang, folder in (("zh", ""), ("en", "en"))
    }
    for text in (page, *changes.values()):
        assert "72.7%" in text
        assert 'datetime="2026-12-05"' in text
    for lang, reason in (("zh", "补判了一条"), ("en", "one run was rejudged")):
        assert reason in page
        assert reason in changes[lang]
        assert f'data-num="{TOOLS}"' in changes[lang]


def test_a_site_that_changed_without_a_note_is_not_recorded(recorded: Path, tmp_path: Path) -> None:
    _build(tmp_path, _mend)
    (tmp_path / "source/published").mkdir()
    before = (recorded / "source" / LEDGER).read_bytes()
    (tmp_path / "source" / LEDGER).write_bytes(before)
    entries, findings = record_site(tmp_path / "site", tmp_path / "source")
    assert [entry.file for entry in entries] == [LEDGER]
    assert {finding.code for finding in findings} == {"RC410"}
    finding = next(finding for finding in findings if finding.place.field == TOOLS)
    assert (finding.expected, finding.found) == (
        "0.727272727273 (8/11), as recorded",
        "0.818181818182 (9/11) without a restatement",
    )
    assert (tmp_path / "source" / LEDGER).read_bytes() == before


def test_what_is_no_source_or_no_site_is_told(recorded: Path, tmp_path: Path) -> None:
    _, findings = record_site(recorded / "site", tmp_path)
    assert [(finding.code, finding.place.file) for finding in findings] == [("RC001", "publication.yaml")]
    with pytest.raises(SiteError, match="not a file of a built site"):
        record_site(tmp_path, recorded / "source")


def test_a_damaged_ledger_is_refused_and_stays(recorded: Path, tmp_path: Path) -> None:
    write_small_source(tmp_path)
    (tmp_path / "published").mkdir()
    (tmp_path / LEDGER).write_bytes(b"{}")
    _, findings = record_site(recorded / "site", tmp_path)
    assert [(finding.code, finding.place.file) for finding in findings] == [("RC412", LEDGER)]
    assert (tmp_path / LEDGER).read_bytes() == b"{}"


def test_the_command_says_what_it_noted(recorded: Path, tmp_path: Path) -> None:
    write_small_source(tmp_path)
    count = len(_numbers(recorded / "site"))
    result = CliRunner().invoke(app, ["record", str(recorded / "site"), "--source", str(tmp_path)])
    assert result.exit_code == 0
    assert result.output == f"{tmp_path / LEDGER}: {count} numbers, {count} new, 0 restated\n"
    missing = CliRunner().invoke(app, ["record", str(tmp_path), "--source", str(tmp_path)])
    assert missing.exit_code == 1
    assert "not a file of a built site" in missing.output


def test_a_site_of_another_source_is_not_recorded(recorded: Path, tmp_path: Path) -> None:
    """Its numbers would stand in the ledger as if this source had published and withdrawn them."""
    other = write_small_source(tmp_path / "other")
    text = (other / "publication.yaml").read_text(encoding="utf-8")
    (other / "publication.yaml").write_text(text.replace(BATCH_ID, "ctx-other"), encoding="utf-8")
    entries, findings = record_site(recorded / "site", other)
    assert entries == []
    assert [(found.code, found.found) for found in findings] == [("RC413", f"no batch {BATCH_ID}")]
    assert not (other / "published").exists()
