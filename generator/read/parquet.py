"""Rows of a Parquet file as lines of JSON, so that they take the way of every other run.

Nested fields may be native lists and structs, or columns of JSON text. A struct cannot tell an absent key from null:
null is read as absent.
"""

import datetime
import decimal
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from generator.errors import Finding, Place
from generator.model.rules import finding
from generator.model.runs import Run

_TEXTS = frozenset(
    ["run_id", "case_id", "variant", "state", "config_hash", "reason", "mode", "answer", "source_run_id"]
)
_FIELDS = tuple(field.encode_name for field in msgspec.structs.fields(Run))


def parquet_lines(path: Path, name: str, size: int) -> Iterator[bytes | Finding]:
    """One JSON line a row; the finding of a row or of the file where there is none."""
    import pyarrow
    from pyarrow import parquet

    number = 0
    try:
        with parquet.ParquetFile(path) as file:
            columns = [field for field in _FIELDS if field in file.schema_arrow.names]
            for batch in file.iter_batches(batch_size=size, columns=columns):
                for row in batch.to_pylist(maps_as_pydicts="strict"):
                    number += 1
                    yield _line(row, Place(name, number))
    except (pyarrow.ArrowException, OSError):
        expected, remedy = "a whole Parquet file", "write the file again, or publish runs.jsonl"
        yield finding("RC028", Place(name), expected, f"one that cannot be read after row {number}", remedy)


def _line(row: dict[str, Any], place: Place) -> bytes | Finding:
    value: dict[str, Any] = {}
    for field, cell in row.items():
        if cell is None:
            continue
        if isinstance(cell, str) and field not in _TEXTS:
            try:
                cell = json.loads(cell)
            except ValueError:
                if field != "private":
                    where = Place(place.file, place.line, field=field)
                    remedy = "write the column as JSON text, or as a native list or struct"
                    return finding("RC020", where, "JSON text", "text that is not JSON", remedy)
        value[field] = _present(cell)
    try:
        return json.dumps(value, default=_plain).encode()
    except TypeError:
        remedy = "write the value as text or number"
        return finding("RC028", place, "values that JSON has", "another kind of value", remedy)


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
