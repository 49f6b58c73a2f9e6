"""A new source to start from."""

from pathlib import Path

from generator.errors import Finding, Place, SiteError
from generator.model.rules import finding
from generator.resources import resource
from generator.source.journal import FOLDER
from generator.source.yaml_file import replace_file

SHARED = ("metrics.yaml", "projection.yaml", "redaction.yaml")
"""Definitions that every source begins with as the project has them."""
BESIDE = (".git", FOLDER)
"""What may stand in a folder that is empty otherwise."""

EXPERIMENTS = """\
# The registered experiments. `runcite import` adds the ones it meets; `runcite schema source-experiments` says
# what may stand here.
experiments: []
"""

PUBLICATION = """\
# What is published. Titles and summary are read by everybody: write them in both languages.
title:
  zh: 评测报告
  en: Evaluation report
summary:
  zh: 尚未填写摘要。
  en: No summary has been written yet.

# Where the site will stand, who publishes it, under which licence. All three may be left out.
# address: https://example.org/report/
# publisher: {zh: …, en: …}
# licence: CC-BY-4.0

# Batches in the order of their publication. `runcite import` adds what it writes; what is not named stays private.
published: []

thresholds:
  # Valid runs that every variant needs; a batch with fewer is refused.
  min_valid_per_group: 5
"""

README = """\
# A source of Runcite

| file | holds |
|---|---|
| `experiments.yaml` | the registered experiments |
| `publication.yaml` | title, thresholds, and which batches are published |
| `metrics.yaml` | the metric table: the only place where a metric is defined |
| `projection.yaml` | the whitelist: which fields of a run may be shown |
| `redaction.yaml` | patterns that are never shown, even in a field that is |
| `cases/<bank>.yaml` | case banks, with gold answers that are never shown |
| `batches/<id>/batch.yaml`, `runs.jsonl` | a batch: its head, and one run a line |
| `claims.yaml`, `evidence.yaml`, `evidence/` | what the report claims, and on what evidence; may be left out |
| `catalogs/`, `fixtures/`, `policies/`, `contracts/`, `sessions/` | what some batches need besides |
| `profiles/<id>.yaml` | a box profile, where `box_profile` in `publication.yaml` names it |

Import results of a harness, look at what was registered in `experiments.yaml`, and build:

    runcite import tau2-bench RESULT.json … --experiment ID --batch ID --variant PATH --source .
    runcite build --source . --site ../site
"""


def init_source(root: Path) -> list[Finding]:
    """Make an empty source in `root`, which must not exist or be empty (`.git` and what a recorder keeps aside).

    Raises
    ------
    SiteError
        The folder cannot be written.
    """
    if root.exists() and not root.is_dir():
        return [_taken(root, "a file")]
    if root.exists() and any(entry.name not in BESIDE for entry in root.iterdir()):
        return [_taken(root, "a folder that holds something")]
    texts = {"README.md": README, "experiments.yaml": EXPERIMENTS, "publication.yaml": PUBLICATION}
    try:
        for name in SHARED:
            replace_file(root / name, (resource("data") / name).read_bytes())
        for name, text in texts.items():
            replace_file(root / name, text.encode("utf-8"))
    except OSError as error:
        raise SiteError(f"{root}: the source could not be written ({error.strerror})") from error
    return []


def _taken(root: Path, found: str) -> Finding:
    place = Place(root.name or str(root))
    return finding("RC510", place, "no such folder, or an empty one", found, "name another folder")
