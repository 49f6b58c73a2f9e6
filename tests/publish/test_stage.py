"""The old site stays whole whatever happens to a build."""

from pathlib import Path

import pytest

from generator.errors import SiteError
from generator.publish import swap
from generator.publish.stage import Stage, write_file


def _publish(site: Path, text: str) -> None:
    with Stage(site) as stage:
        write_file(stage.root, "manifest.json", b"{}")
        write_file(stage.root, "deep/er/page.html", text.encode())
        stage.commit()


def _stop_half_way(site: Path) -> None:
    with Stage(site) as stage:
        write_file(stage.root, "deep/er/page.html", b"half")
        raise RuntimeError


def _hidden(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name.startswith("."))


def test_a_commit_exchanges_the_site_and_leaves_nothing_behind(tmp_path: Path) -> None:
    site = tmp_path / "site"
    _publish(site, "first")
    _publish(site, "second")
    assert (site / "deep/er/page.html").read_text(encoding="utf-8") == "second"
    assert _hidden(tmp_path) == []


def test_an_error_leaves_the_old_site_as_it_was(tmp_path: Path) -> None:
    site = tmp_path / "site"
    _publish(site, "first")
    with pytest.raises(RuntimeError):
        _stop_half_way(site)
    assert (site / "deep/er/page.html").read_text(encoding="utf-8") == "first"
    assert _hidden(tmp_path) == []


def test_an_error_of_the_system_names_the_site_and_what_is_left(tmp_path: Path) -> None:
    site = tmp_path / "site"
    _publish(site, "first")
    with pytest.raises(SiteError, match="No space left on device; the previous site is untouched"), Stage(site):
        raise OSError(28, "No space left on device")


def test_two_builds_of_one_site_do_not_meet(tmp_path: Path) -> None:
    site = tmp_path / "site"
    with Stage(site), pytest.raises(SiteError, match="another build is writing this site"), Stage(site):
        pass


def test_a_folder_that_is_no_site_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work", encoding="utf-8")
    with pytest.raises(SiteError, match="found other files"), Stage(tmp_path):
        pass
    assert (tmp_path / "thesis.txt").exists()


def test_a_file_is_not_replaced(tmp_path: Path) -> None:
    thesis = tmp_path / "thesis.pdf"
    thesis.write_text("years of work", encoding="utf-8")
    with pytest.raises(SiteError, match="expected a folder, found a file"), Stage(thesis):
        pass
    assert thesis.read_text(encoding="utf-8") == "years of work"


def test_a_link_to_a_site_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "real")
    for text in ("first", "second"):
        _publish(link, text)
    assert link.is_symlink()
    assert (tmp_path / "real/deep/er/page.html").read_text(encoding="utf-8") == "second"


def test_a_failing_second_rename_brings_the_old_site_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = tmp_path / "site"
    _publish(site, "first")
    rename = Path.rename

    def fail_for_the_new_site(self: Path, target: Path) -> Path:
        if self.name == ".site.new":
            raise OSError(5, "Input/output error")
        return rename(self, target)

    monkeypatch.setattr(swap, "_exchange_in_one_step", lambda first, second: False)
    monkeypatch.setattr(Path, "rename", fail_for_the_new_site)
    with pytest.raises(SiteError, match="Input/output error; the previous site is untouched"):
        _publish(site, "second")
    assert (site / "deep/er/page.html").read_text(encoding="utf-8") == "first"


def test_without_an_exchange_in_one_step_two_renames_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(swap, "_exchange_in_one_step", lambda first, second: False)
    site = tmp_path / "site"
    _publish(site, "first")
    _publish(site, "second")
    assert (site / "deep/er/page.html").read_text(encoding="utf-8") == "second"


def test_a_stop_between_the_two_renames_is_mended_by_the_next_build(tmp_path: Path) -> None:
    site = tmp_path / "site"
    _publish(site, "first")
    site.rename(tmp_path / ".site.old")
    with Stage(site):
        pass
    assert (site / "deep/er/page.html").read_text(encoding="utf-8") == "first"


def test_a_stop_after_the_exchange_leaves_an_old_site_that_the_next_build_removes(tmp_path: Path) -> None:
    site = tmp_path / "site"
    _publish(site, "first")
    (tmp_path / ".site.old").mkdir()
    (tmp_path / ".site.new-abc").mkdir()
    with Stage(site):
        pass
    assert _hidden(tmp_path) == []
