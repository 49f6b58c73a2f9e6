"""Journals of recorders: appended to by any number of processes, read when the batch is made.

A journal belongs to one writer. Each line is written at once and synced, so that a crash loses nothing that was
recorded, and leaves at most one torn line, which ends the journal.
"""

import fcntl
import hashlib
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from generator.model.batches import SourceFile
from generator.model.recording import JournalLine

FOLDER = ".recording"
"""In a source; hidden, so that no build reads it."""
_PRESENT = "present"
_MUTEX = "mutex"
_DECODER: "msgspec.json.Decoder[JournalLine]" = msgspec.json.Decoder(JournalLine)
_ENCODER = msgspec.json.Encoder()


@dataclass(frozen=True, slots=True)
class ReadJournal:
    """A journal as it was found. `torn`: its last line was cut off."""

    lines: list[JournalLine]
    source: SourceFile
    torn: bool


class Journal:
    """One writer of a batch that is being recorded.

    Raises
    ------
    OSError
        The folder cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        # Others see by this lock that somebody still writes; it ends with the process, however that ends.
        self._presence = os.open(folder / _PRESENT, os.O_RDWR | os.O_CREAT, 0o644)
        fcntl.flock(self._presence, fcntl.LOCK_SH)
        self.path = folder / f"{os.getpid()}-{uuid.uuid4().hex[:12]}.jsonl"
        self._descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def write(self, *lines: JournalLine) -> None:
        data = b"".join(_ENCODER.encode(line) + b"\n" for line in lines)
        while data:
            data = data[os.write(self._descriptor, data) :]
        os.fsync(self._descriptor)

    def close(self) -> bool:
        """Whether this was the last writer: then, and only then, it is for the caller to make the batch."""
        os.close(self._descriptor)
        with mutex(self.folder.parent):
            os.close(self._presence)
            return not has_writer(self.folder)


@contextmanager
def mutex(folder: Path) -> Iterator[None]:
    """One process at a time."""
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder / _MUTEX, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def has_writer(folder: Path) -> bool:
    """Whether a process still writes a journal in `folder`."""
    if not (folder / _PRESENT).exists():
        return False
    descriptor = os.open(folder / _PRESENT, os.O_RDWR)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def recording_folder(root: Path, batch: str) -> Path:
    """Where the journals of a batch stand. Any id may be asked for: it becomes one name, never a path."""
    safe = batch if batch.replace("-", "").replace("_", "").isalnum() and batch.isascii() else None
    return root / FOLDER / (safe or "id-" + hashlib.sha256(batch.encode("utf-8", "surrogatepass")).hexdigest()[:16])


def read_journals(folder: Path) -> list[ReadJournal]:
    """All journals of a batch, sorted by name."""
    return [_read(path) for path in sorted(folder.glob("*.jsonl"))]


def remove_journals(folder: Path) -> None:
    """After the batch was written: it holds all that they hold."""
    shutil.rmtree(folder, ignore_errors=True)


def _read(path: Path) -> ReadJournal:
    """The name of a journal carries a process id, so its hash alone goes into the provenance."""
    raw = path.read_bytes()
    lines: list[JournalLine] = []
    torn = False
    for line in raw.splitlines():
        try:
            lines.append(_DECODER.decode(line))
        except msgspec.DecodeError:
            torn = True
            break
    digest = "sha256:" + hashlib.sha256(raw).hexdigest()
    return ReadJournal(lines, SourceFile(name="journal.jsonl", bytes=len(raw), sha256=digest), torn)
