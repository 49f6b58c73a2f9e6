"""Bytes of a runs file, decompressed as a stream and within limits."""

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol

from generator.errors import Finding, Place
from generator.model.rules import finding

if TYPE_CHECKING:
    import zstandard
    from _typeshed import WriteableBuffer

MAX_LINE_BYTES = 16 * 1024**2
"""Of one run."""
MAX_EXPANDED_BYTES = 64 * 1024**3
MAX_RATIO = 400
"""Expanded bytes for one compressed byte. Repetitive JSON reaches some 50."""
FREE_BYTES = 16 * 1024**2
"""Below this size no ratio is checked."""
MAX_WINDOW_BYTES = 128 * 1024**2
"""The memory that one Zstandard frame may demand."""
ZSTD_STEP_BYTES = 2048
"""Compressed bytes taken at once: they expand to some 60 MB at worst."""


def allowed_bytes(path: Path) -> int:
    """How far a compressed file may expand."""
    return min(MAX_EXPANDED_BYTES, max(FREE_BYTES, path.stat().st_size * MAX_RATIO))


def too_large(name: str, allowed: int) -> Finding:
    remedy = "publish the runs uncompressed, or split the batch"
    return finding("RC027", Place(name), f"at most {allowed} bytes", "more", remedy)


def too_long(place: Place) -> Finding:
    expected, remedy = f"at most {MAX_LINE_BYTES} bytes", "keep long texts out of the run"
    return finding("RC023", place, expected, "more", remedy)


class Unreadable(Exception):
    """A stream that cannot be read on, with the finding that says why."""

    def __init__(self, problem: Finding) -> None:
        super().__init__(str(problem))
        self.problem = problem


@contextmanager
def open_runs(path: Path, name: str) -> Iterator[BinaryIO]:
    """The bytes of `.jsonl`, `.jsonl.gz` or `.jsonl.zst` as a buffered stream.

    Raises
    ------
    Unreadable
        The file is no such file, is cut off, or expands beyond the limits; also while it is being read.
    """
    with path.open("rb") as raw:
        if path.suffix == ".gz":
            opened = _Limited(gzip.GzipFile(fileobj=raw), (OSError, EOFError, zlib.error), path, name)
        elif path.suffix == ".zst":
            opened = _open_zstd(raw, path, name)
        else:
            yield raw
            return
        with io.BufferedReader(opened) as limited:
            yield limited


class _Decompressor(Protocol):
    def read(self, size: int, /) -> bytes: ...


class _Limited(io.RawIOBase):
    """Counts what a decompressor gives and turns its errors into findings."""

    def __init__(self, stream: _Decompressor, errors: tuple[type[Exception], ...], path: Path, name: str) -> None:
        self._stream = stream
        self._errors = errors
        self._allowed = allowed_bytes(path)
        self._given = 0
        self._name = name

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer)
        try:
            data = self._stream.read(len(view))
        except self._errors as error:
            raise Unreadable(_broken(self._name, error)) from error
        self._given += len(data)
        if self._given > self._allowed:
            raise Unreadable(too_large(self._name, self._allowed))
        view[: len(data)] = data
        return len(data)


class _ZstdFrames:
    """Reads frame after frame and knows whether the last one ended, which zstandard's own reader does not tell."""

    def __init__(self, raw: BinaryIO, decompressor: "zstandard.ZstdDecompressor") -> None:
        self._raw = raw
        self._decompressor = decompressor
        self._frame = decompressor.decompressobj()
        self._compressed = b""
        self._pending = memoryview(b"")

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes; none at the end. EOFError within a frame."""
        while not self._pending:
            self._compressed = self._compressed or self._raw.read(ZSTD_STEP_BYTES)
            if not self._compressed:
                if self._frame.eof:
                    return b""
                raise EOFError
            if self._frame.eof:
                self._frame = self._decompressor.decompressobj()
            self._pending = memoryview(self._frame.decompress(self._compressed))
            self._compressed = self._frame.unused_data
        data, self._pending = self._pending[:size], self._pending[size:]
        return bytes(data)


def _open_zstd(raw: BinaryIO, path: Path, name: str) -> _Limited:
    try:
        import zstandard
    except ImportError:
        remedy = "pip install runcite[zstd]"
        raise Unreadable(finding("RC026", Place(name), "the package zstandard", "none installed", remedy)) from None
    stream = _ZstdFrames(raw, zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW_BYTES))
    return _Limited(stream, (zstandard.ZstdError, EOFError), path, name)


def _broken(name: str, error: Exception) -> Finding:
    cut = isinstance(error, EOFError)
    found = "a file that is cut off" if cut else "a file that cannot be decompressed"
    return finding("RC026", Place(name), "a whole compressed file", found, "copy or compress the file again")
