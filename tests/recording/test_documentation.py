"""The examples of docs/recording.md do what the page says."""

import os
import re
import subprocess
import sys

import pytest

from generator.pipeline import check_source
from generator.recording.marks import _KNOWN
from generator.recording.notes import RunNotes
from tests.recording.sessions import Session, run_pytest
from tests.support.whole_sites import ROOT

PAGE = (ROOT / "docs" / "recording.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"```python\n# (\w+\.py)\n(.*?)```", PAGE, flags=re.DOTALL))
(SHOWN,) = re.findall(r"```text\n=+ runcite =+\n(.*?)```", PAGE, flags=re.DOTALL)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    files = {name: text for name, text in BLOCKS.items() if name != "record.py"}
    folder = tmp_path_factory.mktemp("documented")
    return run_pytest(folder, files, "--runcite-experiment", "refunds", "--runcite-synthetic")


def test_the_terminal_shows_what_the_page_shows(session: Session) -> None:
    assert session.code == 0, session.output
    assert [line for line in SHOWN.splitlines() if line not in session.verdicts()] == []


def test_a_script_adds_its_batch_and_all_of_it_builds(session: Session) -> None:
    folder = session.source.parent
    (folder / "record.py").write_text(BLOCKS["record.py"], encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "record.py"], cwd=folder, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    built = check_source(session.source, jobs=1, progress=lambda step: None)
    assert (built.batches, built.runs) == (2, 69)


def test_every_part_of_a_mark_and_every_note_is_explained() -> None:
    for name in _KNOWN:
        assert f"`{name}`" in PAGE
    for name in vars(RunNotes):
        if not name.startswith("_") and name not in ("ended", "invalid_reason", "failed_reason"):
            assert f"{name}(" in PAGE, name
