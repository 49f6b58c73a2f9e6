"""What a comparison reads of a site: its API, and the evidence that the API names. Fields that it does not know are
passed over, so that sites of different versions can be compared."""

import datetime
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from generator.errors import SiteError

T = TypeVar("T")


class Read(msgspec.Struct, frozen=True):
    """Base of what is read."""


class Counted(Read, frozen=True):
    count: int
    runset: str | None


class RestatedOn(Read, frozen=True):
    date: datetime.date


class Number(Read, frozen=True):
    """See docs/api.md."""

    id: str
    variant: str
    slice: str | None
    metric: str
    metric_version: int
    unit: str
    value: int | float | None
    numerator: int | None
    denominator: int | None
    runset: str | None
    numerator_runset: str | None
    excluded: dict[str, Counted]
    missing: Counted | None
    interval: dict[str, Any] | None
    reason: str | None
    compares: tuple[str, str] | None = None
    change: str | None = None
    marks: list[str] = []
    restated: list[RestatedOn] = []
    evidence: str | None = None
    detail: dict[str, Any] | None = None
    verdict: dict[str, Any] | None = None
    tests: list[dict[str, Any]] = []
    sequential: dict[str, Any] | None = None


class Run(Read, frozen=True):
    run_id: str
    variant: str
    evidence: str
    sha256: str


class Variant(Read, frozen=True):
    id: str
    file_name: str


class Head(Read, frozen=True):
    """`api/v1/batches/<batch>.json`."""

    id: str
    baseline: str
    pass_metric: str
    threshold: int
    alpha: float
    case_bank: dict[str, Any]
    catalog: dict[str, Any] | None
    fixtures: dict[str, Any] | None
    judges: dict[str, int]
    variants: list[Variant]
    grid: dict[str, Any]
    skipped: list[dict[str, Any]]
    runs: list[Run]
    waivers: list[dict[str, Any]] = []


class Listed(Read, frozen=True):
    """A batch in `api/v1/index.json`: where its files are."""

    id: str
    file: str
    numbers: str
    runsets: list[str]


class ListedEvidence(Read, frozen=True):
    """An entry of the evidence register in the index."""

    id: str
    file: str


class Index(Read, frozen=True):
    generator_version: str
    source_hash: str
    metric_table_version: int
    projection_version: int
    batches: list[Listed]
    thresholds: dict[str, Any] = {}
    coverage: dict[str, Any] = {}
    times: dict[str, Any] = {}
    box_profile: dict[str, Any] | None = None
    evidence: list[ListedEvidence] = []
    evidence_numbers: str | None = None

    @property
    def settings(self) -> dict[str, Any]:
        """What numbers that are derived of others are set by, besides their runs."""
        return self.thresholds | {f"coverage {name}": value for name, value in self.coverage.items()}

    @property
    def time_settings(self) -> dict[str, Any]:
        """What numbers on recorded times are set by: thresholds of shares, values at which a recorder ends."""
        return {f"times {name}": value for name, value in self.times.items()}


class Profile(Read, frozen=True):
    """`api/v1/profiles/<profile>.json`."""

    id: str
    version: int
    method: str
    factors: list[dict[str, Any]]

    @property
    def columns(self) -> frozenset[str]:
        return frozenset(str(factor.get("column")) for factor in self.factors)

    @property
    def values(self) -> dict[str, object]:
        """All that decides a score, by what it is called."""
        found: dict[str, object] = {"profile": f"{self.id} version {self.version}", "method": self.method}
        for factor in self.factors:
            for name in ("column", "direction", "tau", "k", "lambda"):
                found[f"{factor.get('name')} {name}"] = factor.get(name)
        return found


class _Table(Read, frozen=True):
    metrics: list[dict[str, Any]]


class _Whitelist(Read, frozen=True):
    fields: list[dict[str, Any]]


class _Evidence(Read, frozen=True):
    """What every evidence file has, whatever its whitelist lets through."""

    category: str
    projection_version: int
    assertions: dict[str, dict[str, Any]]
    source: dict[str, Any]


class Batch(Read, frozen=True):
    """A batch with its numbers by id, in the order of the site, and its run sets by name."""

    head: Head
    numbers: dict[str, Number]
    runsets: dict[str, list[str]]


class Site:
    """A built site. Batches and evidence are read when they are asked for.

    Raises
    ------
    SiteError
        A file is missing, or is not what the API has there.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self.index = self._read("api/v1/index.json", Index)
        self.metrics = {row["id"]: row for row in self._read("api/v1/metrics.json", _Table).metrics}
        self.whitelist = self._read("api/v1/projection.json", _Whitelist).fields
        named = self.index.box_profile
        self.profile = None if named is None else self._read(str(named.get("file")), Profile)
        self.listed = {entry.id: entry for entry in self.index.batches}

    def batch(self, batch_id: str) -> Batch | None:
        """None where the site does not publish it."""
        listed = self.listed.get(batch_id)
        if listed is None:
            return None
        runsets: dict[str, list[str]] = {}
        for address in listed.runsets:
            runsets |= self._read(address, dict[str, list[str]])
        numbers = {number.id: number for number in self._read(listed.numbers, list[Number])}
        return Batch(self._read(listed.file, Head), numbers, runsets)

    def evidence_numbers(self) -> dict[str, Number]:
        """Those that rest on aggregate evidence, by id; none where the site has no register."""
        address = self.index.evidence_numbers
        return {} if address is None else {number.id: number for number in self._read(address, list[Number])}

    def evidence_entries(self) -> dict[str, dict[str, Any]]:
        """Entries of the register, by id."""
        return {entry.id: self._read(entry.file, dict[str, Any]) for entry in self.index.evidence}

    def evidence(self, run: Run) -> dict[str, Any]:
        found = self._read(run.evidence, dict[str, Any])
        try:
            msgspec.convert(found, _Evidence)
        except msgspec.ValidationError as error:
            raise self._other(run.evidence, error) from error
        return found

    def _read(self, address: str, type_: type[T]) -> T:
        path = self._root / address
        try:
            return msgspec.json.decode(path.read_bytes(), type=type_)
        except OSError as error:
            raise SiteError(f"{path}: expected a file of a built site, found {error.strerror}") from error
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise self._other(address, error) from error

    def _other(self, address: str, error: Exception) -> SiteError:
        return SiteError(f"{self._root / address}: expected a file of a built site, found another one ({error})")
