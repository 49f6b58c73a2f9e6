from pathlib import Path

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort

from generator.resources import resource
from tests.support.small_source import write_small_source


def test_the_preview_shows_the_generated_pages_in_place_of_the_written_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[Path, str]] = []

    def pages(source: Path, lang: str) -> dict[str, bytes]:
        asked.append((source, lang))
        return {"index.md": b"# Home {: #top }\n", "methods.md": b"# Methods, made {: #top }\n"}

    monkeypatch.setattr("generator.pipeline.pages_for_hook", pages)
    monkeypatch.setenv("RUNCITE_SOURCE", str(tmp_path / "source"))
    monkeypatch.setenv("RUNCITE_LANG", "en")
    config = load_config(str(resource("mkdocs.yml")), site_dir=str(tmp_path / "site"), plugins=[], nav=["index.md"])
    build(config)
    assert asked == [(tmp_path / "source", "en")]
    page = (tmp_path / "site/methods.html").read_text(encoding="utf-8")
    assert "Methods, made" in page
    assert "num(" not in page


def test_findings_are_told_as_a_build_tells_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    source = write_small_source(tmp_path / "source", lambda source: source.publication.update({"address": "here"}))
    monkeypatch.setenv("RUNCITE_SOURCE", str(source))
    config = load_config(str(resource("mkdocs.yml")), site_dir=str(tmp_path / "site"), plugins=[], nav=["index.md"])
    with pytest.raises(Abort):
        build(config)
    assert "publication.yaml:10  address  RC405 address is a web address" in caplog.text
    assert not (tmp_path / "site/index.html").exists()
