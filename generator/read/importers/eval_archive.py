"""The `.eval` archives of Inspect: a zip whose entries are stored, deflated or compressed with Zstandard.

Entry names hold raw ids, with slashes and worse: members are read, nothing is ever extracted.
"""

import json
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from generator.errors import Finding
from generator.model.base import Json
from generator.read.importers.files import (
    MAX_BYTES,
    MAX_DEPTH,
    ForeignFile,
    parse_json,
    read_bytes,
    source_file,
    unreadable,
)
from generator.read.importers.values import as_object

ZSTANDARD = 93
_LOCAL_HEADER = 30
_AGAIN = "fetch the file again; if the run was killed while it was written, take the log that Inspect recovers"


class _Damaged(Exception):
    """An entry that cannot be read: what it is, and what to do."""


def load_archive(path: Path) -> ForeignFile | Finding:
    """The archive in the shape of a JSON log: the header's keys, `samples`, `reductions`.

    A run that was killed left no `header.json`; then the journal says what was started, and `status` is `started`.
    """
    raw = read_bytes(path)
    if isinstance(raw, Finding):
        return raw
    if not raw.startswith(b"PK"):
        pointer = raw.startswith(b"version https://git-lfs")
        found = "a Git LFS pointer, not the file itself" if pointer else "another file than a zip archive"
        return unreadable(path, found, "fetch the file with `git lfs pull`" if pointer else _AGAIN)
    try:
        with path.open("rb") as stream, zipfile.ZipFile(path) as archive:
            value = _log(stream, archive.infolist())
    except zipfile.BadZipFile:
        return unreadable(path, "a zip archive that is cut off (it has no list of its entries)", _AGAIN)
    except _Damaged as damaged:
        return unreadable(path, *map(str, damaged.args))
    except UnicodeDecodeError:
        return unreadable(path, "a zip archive with an entry that is no UTF-8", _AGAIN)
    except json.JSONDecodeError:
        return unreadable(path, "a zip archive with an entry that is no JSON", _AGAIN)
    except (OSError, ValueError, NotImplementedError):
        return unreadable(path, "a zip archive whose list of entries is damaged", _AGAIN)
    except RecursionError:
        return unreadable(path, f"an entry nested deeper than {MAX_DEPTH} levels", "check what made this file")
    return ForeignFile(path, value, source_file(path, raw))


def _log(stream: BinaryIO, entries: list[zipfile.ZipInfo]) -> Json:
    by_name = {entry.filename: entry for entry in entries}
    head = by_name.get("header.json") or by_name.get("_journal/start.json")
    if head is None:
        raise _Damaged("a zip archive without header.json and without a journal", "name a log that Inspect wrote")
    room = [MAX_BYTES]
    log = as_object(_json(stream, head, room))
    if head.filename != "header.json":
        log["status"] = "started"
    log["samples"] = list(_samples(stream, by_name, room))
    if "reductions.json" in by_name:
        log["reductions"] = _json(stream, by_name["reductions.json"], room)
    return log


def _samples(stream: BinaryIO, entries: dict[str, zipfile.ZipInfo], room: list[int]) -> Iterator[Json]:
    for name, entry in entries.items():
        if name.startswith("samples/") and name.endswith(".json"):
            yield slim(_json(stream, entry, room))


def slim(sample: Json) -> Json:
    """A sample whose events are left out but for what the model's say of tools and cache: they are most of a log."""
    fields = as_object(sample)
    events = fields.get("events")
    kept: list[Json] = []
    for event in events if isinstance(events, list) else []:
        of = as_object(event)
        if of.get("event") == "model":
            tools = of.get("tools")
            names = [as_object(tool).get("name") for tool in tools] if isinstance(tools, list) else None
            kept.append({"event": "model", "tools": names, "cache": of.get("cache")})
    return {key: value for key, value in fields.items() if key not in _LEFT_OUT} | {"events": kept}


_LEFT_OUT = ("events", "events_data", "message_pool", "store", "metadata")


def _json(stream: BinaryIO, entry: zipfile.ZipInfo, room: list[int]) -> Json:
    content = _content(stream, entry, room[0])
    room[0] -= len(content)
    return parse_json(content.decode("utf-8"))


def _content(stream: BinaryIO, entry: zipfile.ZipInfo, limit: int) -> bytes:
    """The bytes of an entry, at most `limit`: what its header says of sizes is not believed."""
    stream.seek(entry.header_offset)
    header = stream.read(_LOCAL_HEADER)
    if len(header) < _LOCAL_HEADER or not header.startswith(b"PK\x03\x04"):
        raise _Damaged("a zip archive with an entry that is not where its list says", _AGAIN)
    name_length, extra_length = struct.unpack("<HH", header[26:30])
    stream.seek(name_length + extra_length, 1)
    packed = stream.read(entry.compress_size)
    content = _unpacked(packed, entry.compress_type, limit)
    if zlib.crc32(content) != entry.CRC:
        raise _Damaged("a zip archive with a damaged entry (its check sum is another)", _AGAIN)
    return content


def _unpacked(packed: bytes, method: int, limit: int) -> bytes:
    if method == zipfile.ZIP_STORED:
        content = packed
    elif method == zipfile.ZIP_DEFLATED:
        try:
            content = zlib.decompressobj(-15).decompress(packed, limit + 1)
        except zlib.error:
            raise _Damaged("a zip archive with a damaged entry", _AGAIN) from None
    elif method == ZSTANDARD:
        content = _zstandard(packed, limit)
    else:
        raise _Damaged("a zip archive that is compressed in another way", "write the log again with Inspect's defaults")
    if len(content) > limit:
        raise _Damaged(f"an archive of more than {MAX_BYTES} bytes", "split the log by task, or import fewer runs")
    return content


def _zstandard(packed: bytes, limit: int) -> bytes:
    try:
        import zstandard
    except ImportError:
        remedy = "pip install 'runcite[zstd]', or write the log as JSON (inspect log convert --to json)"
        raise _Damaged("a zip archive with Zstandard entries, which need another package", remedy) from None
    try:
        with zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True) as reader:
            return reader.read(limit + 1)
    except zstandard.ZstdError:
        raise _Damaged("a zip archive with a damaged entry", _AGAIN) from None
