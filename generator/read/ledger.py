"""`published/` of a source: the numbers of earlier publications. It is no part of the source's hash: recording what was
published changes nothing of it."""

from pathlib import Path

import msgspec

from generator.errors import Finding, Place
from generator.model.addresses import file_name
from generator.model.ledger import LEDGER_FOLDER, Ledger, LedgerEntry
from generator.model.rules import finding
from generator.read.files import Unusable, inside

MAX_BYTES = 512 * 1024**2
_REMEDY = "restore the file; `runcite record SITE` writes it"


def read_ledger(root: Path) -> tuple[dict[str, LedgerEntry], list[Finding]]:
    """The recorded numbers of all batches by id, in the order of the file names; none where nothing was recorded."""
    numbers: dict[str, LedgerEntry] = {}
    findings: list[Finding] = []
    folder = root / LEDGER_FOLDER
    for path in sorted(folder.glob("*.json")) if folder.is_dir() else []:
        try:
            raw = inside(root, f"{LEDGER_FOLDER}/{path.name}", MAX_BYTES).read_bytes()
            ledger = msgspec.json.decode(raw, type=Ledger)
        except (OSError, Unusable, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            findings.append(_unreadable(path, error))
            continue
        if _is_of(ledger, path.stem):
            numbers |= ledger.numbers
        else:
            expected = f"the numbers of the batch `{path.stem}`"
            findings.append(finding("RC412", _place(path), expected, "those of another", _REMEDY))
    return numbers, findings


def _unreadable(path: Path, error: Exception) -> Finding:
    # What msgspec says of a wrong value names types and a path, never the value.
    if isinstance(error, Unusable):
        found = error.reason[2]
    else:
        found = error.strerror or "an error" if isinstance(error, OSError) else str(error)
    return finding("RC412", _place(path), "a ledger that `runcite record` wrote", found.lower(), _REMEDY)


def _is_of(ledger: Ledger, stem: str) -> bool:
    name = file_name(ledger.batch)
    return stem == name and all(number.startswith(f"{name}/") for number in ledger.numbers)


def _place(path: Path) -> Place:
    return Place(f"{LEDGER_FOLDER}/{path.name}")
