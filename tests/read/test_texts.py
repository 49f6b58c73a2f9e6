"""Texts of the interface, flattened."""

from pathlib import Path

import pytest

from generator.errors import Refused
from generator.read import texts
from generator.read.texts import read_texts


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for lang in ("zh", "en"):
        (tmp_path / "texts" / lang).mkdir(parents=True)
    monkeypatch.setattr(texts, "resource", lambda name: tmp_path)
    return tmp_path / "texts"


def test_keys_are_joined_by_dots(folder: Path) -> None:
    (folder / "en" / "result.yaml").write_text("accounting:\n  title: Accounting\n  no: 'no'\n", encoding="utf-8")
    (folder / "en" / "home.yaml").write_text("title: Home\n", encoding="utf-8")
    (folder / "zh" / "home.yaml").write_text("title: 首页\n", encoding="utf-8")
    assert read_texts() == {
        "zh": {"home.title": "首页"},
        "en": {"home.title": "Home", "result.accounting.title": "Accounting", "result.accounting.no": "no"},
    }


def test_broken_file_is_refused(folder: Path) -> None:
    (folder / "en" / "home.yaml").write_text("title: a\ntitle: b\n", encoding="utf-8")
    with pytest.raises(Refused) as caught:
        read_texts()
    assert [(finding.code, str(finding.place)) for finding in caught.value.findings] == [
        ("RC004", "en/home.yaml:2  title")
    ]


def test_other_value_is_refused(folder: Path) -> None:
    (folder / "en" / "home.yaml").write_text("title:\n  short: 1\n", encoding="utf-8")
    with pytest.raises(Refused) as caught:
        read_texts()
    (finding,) = caught.value.findings
    assert (finding.code, str(finding.place), finding.found) == ("RC008", "en/home.yaml:2  title.short", "an integer")
