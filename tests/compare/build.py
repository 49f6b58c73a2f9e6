"""Sites without pages: all that a comparison reads."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from generator.engine import LocalEngine
from generator.judge.details import DETAILS
from generator.pipeline import evaluate, read_checked
from generator.publish.api import api_files
from generator.publish.stage import write_file
from generator.steps import start_worker
from tests.support.small_source import SmallSource, write_small_source

Edit = Callable[[SmallSource], None]


def api_site(folder: Path, edit: Edit | None = None) -> Path:
    """The API and the evidence of the small source after an edit, in `folder`."""
    with tempfile.TemporaryDirectory() as root:
        source, findings = read_checked(write_small_source(Path(root), edit))
        with LocalEngine(1, start_worker, (source, folder)) as engine:
            report = evaluate(source, findings, engine)
    for address, data in api_files(report, DETAILS):
        write_file(folder, address, data)
    return folder
