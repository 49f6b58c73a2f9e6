"""The files inside compressed files and archives of a site, within limits."""

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import Protocol

MAX_DEPTH = 3
"""Archives within archives."""
MAX_ENTRIES = 10_000
MAX_BYTES = 1024**3
"""Expanded bytes of one file of the site, all members together."""

_BROKEN = (
    OSError,
    EOFError,
    zlib.error,
    lzma.LZMAError,
    tarfile.TarError,
    zipfile.BadZipFile,
    RuntimeError,
    ValueError,
)


class _Stream(Protocol):
    def read(self, size: int, /) -> bytes: ...


class Unsearchable(Exception):
    """A file that cannot be searched, with the reason in words."""


def members(address: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """(address, bytes) of what a file holds: itself, or the members of the archive that it is, members of these too.

    The address of a member is that of the archive, `!`, and its name. Names of members are texts of the site too.

    Raises
    ------
    Unsearchable
        The archive is broken, encrypted, or beyond the limits.
    """
    yield from _Unpacking().members(address, data, 0)


class _Unpacking:
    def __init__(self) -> None:
        self._bytes = 0
        self._entries = 0

    def members(self, address: str, data: bytes, depth: int) -> Iterator[tuple[str, bytes]]:
        opener = _opener(data)
        if opener is None:
            yield address, data
            return
        if depth == MAX_DEPTH:
            raise Unsearchable(f"archives in archives, more than {MAX_DEPTH} deep")
        try:
            for name, stream in opener(data):
                self._entries += 1
                if self._entries > MAX_ENTRIES:
                    raise Unsearchable(f"more than {MAX_ENTRIES} members")
                yield from self.members(f"{address}!{name}", self._read(stream), depth + 1)
        except _BROKEN as error:
            raise Unsearchable("an archive that cannot be read") from error

    def _read(self, stream: _Stream) -> bytes:
        data = stream.read(MAX_BYTES - self._bytes + 1)
        self._bytes += len(data)
        if self._bytes > MAX_BYTES:
            raise Unsearchable(f"an archive that expands beyond {MAX_BYTES} bytes")
        return data


_Opener = Callable[[bytes], Iterator[tuple[str, _Stream]]]


def _opener(data: bytes) -> _Opener | None:
    """By the first bytes: a name can say anything."""
    if data.startswith(b"PK\x03\x04"):
        return _zip
    if data.startswith((b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00")):
        return _compressed
    if data[257:262] == b"ustar":
        return _tar
    if data.startswith(b"\x28\xb5\x2f\xfd"):
        return _zstd
    return None


def _zip(data: bytes) -> Iterator[tuple[str, _Stream]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for entry in archive.infolist():
            with archive.open(entry) as stream:
                yield entry.filename, stream
        yield "comment", io.BytesIO(archive.comment)


def _tar(data: bytes) -> Iterator[tuple[str, _Stream]]:
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
        for entry in archive:
            yield entry.name, archive.extractfile(entry) or io.BytesIO(entry.linkname.encode("utf-8", "replace"))


def _compressed(data: bytes) -> Iterator[tuple[str, _Stream]]:
    if data.startswith(b"\x1f\x8b"):
        with gzip.open(io.BytesIO(data)) as zipped:
            yield "content", zipped
    elif data.startswith(b"BZh"):
        with bz2.open(io.BytesIO(data)) as zipped:
            yield "content", zipped
    else:
        with lzma.open(io.BytesIO(data)) as zipped:
            yield "content", zipped


def _zstd(data: bytes) -> Iterator[tuple[str, _Stream]]:
    try:
        import zstandard
    except ImportError:
        raise Unsearchable("Zstandard, and the package zstandard is not installed") from None
    try:
        yield "content", zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data), read_across_frames=True)
    except zstandard.ZstdError as error:
        raise Unsearchable("an archive that cannot be read") from error
