"""Rows of a Parquet file as lines of JSON, so that they take the way of every other run.

Nested fields may be native lists and structs, or columns of JSON text. A struct cannot tell an absent key from null:
null is read as absent.
"""

import datetime
import decimal
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from generator.errors import Finding, Place
from generator.model.rules import finding
from generator.model.runs import Run
from generator.read.streams import MAX_LINE_BYTES, allowed_bytes, too_large, too_long
from generator.read.unique_keys import has_unique_keys

if TYPE_CHECKING:
    from pyarrow import RecordBatch
    from pyarrow.parquet import FileMetaData, ParquetFile

BUFFER_BYTES = 128 * 1024**2
"""Decoded rows held at once. A file says how large a column is, not how large its largest value is: so many rows are
taken that they fit even if each held all of its column."""

_TEXTS = frozenset(
    ["run_id", "case_id", "variant", "state", "config_hash", "reason", "mode", "answer", "source_run_id"]
)
_FIELDS = tuple(field.encode_name for field in msgspec.structs.fields(Run))
_WRITE_AGAIN = "write the file again, or publish runs.jsonl"


def parquet_lines(path: Path, name: str, size: int) -> Iterator[bytes | Finding]:
    """One JSON line a row; the finding of a row or of the file where there is none."""
    import pyarrow
    from pyarrow import parquet

    number = 0
    try:
        allowed = allowed_bytes(path)
        with parquet.ParquetFile(path) as file:
            columns, problem = _columns(file, name, allowed)
            if problem is not None:
                yield problem
                return
            for batch in file.iter_batches(batch_size=_rows_at_once(file.metadata, size), columns=columns):
                for line in _lines(batch, name, number):
                    number += 1
                    allowed -= 0 if isinstance(line, Finding) else len(line)
                    if allowed < 0:
                        yield too_large(name, allowed_bytes(path))
                        return
                    yield line
    except (pyarrow.ArrowException, OSError, MemoryError):
        found = f"one that cannot be read after row {number}"
        yield finding("RC028", Place(name), "a whole Parquet file", found, _WRITE_AGAIN)


def _columns(file: "ParquetFile", name: str, allowed: int) -> tuple[list[str], Finding | None]:
    """The columns that a run has; the finding of a file that cannot be read for what its head says."""
    names = file.schema_arrow.names
    columns = [field for field in _FIELDS if field in names]
    again = next((column for column in columns if names.count(column) > 1), None)
    if again is not None:
        where = Place(name, field=again)
        return [], finding("RC004", where, "each column once", f"`{again}` again", "drop one of them")
    expanded = sum(sum(sizes) for sizes in _chunks(file.metadata))
    return columns, too_large(name, allowed) if expanded > allowed else None


def _rows_at_once(metadata: "FileMetaData", size: int) -> int:
    largest = max((max(sizes, default=0) for sizes in _chunks(metadata)), default=0)
    return max(1, min(size, BUFFER_BYTES // max(1, largest)))


def _chunks(metadata: "FileMetaData") -> Iterator[list[int]]:
    """Bytes of each column, row group by row group, as they are before they are compressed."""
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        yield [group.column(column).total_uncompressed_size for column in range(group.num_columns)]


def _lines(batch: "RecordBatch", name: str, before: int) -> Iterator[bytes | Finding]:
    for position in range(batch.num_rows):
        place = Place(name, before + position + 1)
        one = batch.slice(position, 1)
        if one.nbytes > 2 * MAX_LINE_BYTES:  # as columns; the line itself is measured below
            yield too_long(place)
            continue
        try:
            (row,) = one.to_pylist(maps_as_pydicts="strict")
        except (ValueError, KeyError, OverflowError, TypeError):
            found = "a value that has no JSON, or a map with a key twice"
            yield finding("RC028", place, "values that JSON has", found, "write the value as text or number")
            continue
        line = _line(row, place)
        yield line if isinstance(line, Finding) or len(line) <= MAX_LINE_BYTES else too_long(place)


def _line(row: dict[str, Any], place: Place) -> bytes | Finding:
    value: dict[str, Any] = {}
    for field, cell in row.items():
        if isinstance(cell, str) and field not in _TEXTS:
            read = _json_cell(cell, Place(place.file, place.line, field=field))
            if isinstance(read, Finding):
                return read
            value[field] = read[0]
        elif cell is not None:
            value[field] = _present(cell)
    try:
        return json.dumps(value, default=_plain).encode()
    except (TypeError, ValueError, OverflowError, RecursionError):
        remedy = "write the value as text or number"
        return finding("RC028", place, "values that JSON has", "another kind of value", remedy)


def _json_cell(cell: str, where: Place) -> tuple[Any] | Finding:
    """The value of a JSON text. `private` may be plain text."""
    try:
        if not has_unique_keys(cell):
            return finding("RC004", where, "each key once", "a key again", "write the column with each key once")
        return (json.loads(cell),)
    except (ValueError, RecursionError):
        if where.field == "private":
            return (cell,)
        remedy = "write the column as JSON text, or as a native list or struct"
        return finding("RC020", where, "JSON text", "text that is not JSON", remedy)


def _present(value: Any) -> Any:
    """Structs without the keys that are null."""
    if isinstance(value, dict):
        return {key: _present(item) for key, item in value.items() if item is not None}
    return [_present(item) for item in value] if isinstance(value, list) else value


def _plain(value: object) -> object:
    if isinstance(value, datetime.datetime):
        utc = value.astimezone(datetime.UTC) if value.tzinfo else value
        return utc.replace(tzinfo=None).isoformat() + "Z"
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    raise TypeError
