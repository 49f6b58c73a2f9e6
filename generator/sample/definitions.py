"""The definitions that the agent works with. They are read without any batch, because the batches come from here."""

from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from generator.errors import refuse
from generator.model.base import Definition
from generator.model.cases import CaseBank, Session
from generator.model.experiments import Experiment
from generator.model.tools import Catalog, FixtureSet
from generator.read.definitions import read_definition

T = TypeVar("T")


class _Experiments(Definition, frozen=True, kw_only=True):
    experiments: list[Experiment]


@dataclass(frozen=True)
class Definitions:
    """Keys are ids."""

    experiments: dict[str, Experiment]
    bank: CaseBank
    sessions: dict[str, Session]
    catalog: Catalog
    fixtures: FixtureSet


def read_definitions(root: Path) -> Definitions:
    """Read them from a source; raises Refused with all findings of the first file that has any."""
    experiments = _read(root, "experiments.yaml", _Experiments).experiments
    sessions = [_read(root, f"sessions/{path.name}", Session) for path in sorted((root / "sessions").glob("*.yaml"))]
    return Definitions(
        experiments={experiment.id: experiment for experiment in experiments},
        bank=_read(root, "cases/case-bank-v1.yaml", CaseBank),
        sessions={session.id: session for session in sessions},
        catalog=_read(root, "catalogs/ops-tools-v1.yaml", Catalog),
        fixtures=_read(root, "fixtures/ops-fixtures-v1.yaml", FixtureSet),
    )


def _read(root: Path, name: str, type_: type[T]) -> T:
    record, findings = read_definition(name, (root / name).read_bytes(), type_)
    refuse(findings)
    assert record is not None
    return record
