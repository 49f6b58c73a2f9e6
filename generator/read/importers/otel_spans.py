"""Spans of OpenTelemetry, in the two forms that are written to files, as one kind of record.

Ids are hexadecimal in the JSON Lines of the SDK (with `0x`) and in OTLP JSON by its rule; exporters that go through
protobuf's own JSON write them in base64. Times are ISO 8601 in the first form and nanoseconds since 1970 in the second.
"""

import base64
import binascii
import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from generator.model.base import Json
from generator.read.importers.values import as_list, as_object, as_text

_HEX = re.compile(r"(?:0x)?([0-9a-fA-F]{16}|[0-9a-fA-F]{32})")
_ERRORS = ("ERROR", "STATUS_CODE_ERROR", 2, "2")
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)


@dataclass(frozen=True, slots=True)
class Span:
    """`start_ns`, `end_ns`: nanoseconds since 1970, null where not recorded. `error` is its message, else empty."""

    place: str
    trace: str | None
    id: str | None
    parent: str | None
    name: str
    start_ns: int | None
    end_ns: int | None
    is_error: bool
    error: str
    error_type: str
    attributes: dict[str, Json] = field(default_factory=dict)

    @property
    def operation(self) -> str | None:
        return as_text(self.attributes.get("gen_ai.operation.name"))

    @property
    def duration_ms(self) -> float | None:
        if self.start_ns is None or self.end_ns is None or self.end_ns < self.start_ns:
            return None
        return round((self.end_ns - self.start_ns) / 1e6, 3)

    @property
    def started_at(self) -> str | None:
        """ISO 8601 in UTC."""
        return None if self.start_ns is None else _iso(self.start_ns)


def spans_of(content: Json) -> list[Span] | None:
    """The spans of a file; None where it holds something else. A file may be one export or one a line."""
    items = content if isinstance(content, list) else [content]
    spans: list[Span] = []
    for position, item in enumerate(map(as_object, items)):
        if "resourceSpans" in item:
            spans += _of_export(position, item)
        elif "trace_id" in as_object(item.get("context")):
            spans.append(_of_sdk(f"[{position}]", item))
        else:
            return None
    return spans


def _of_export(position: int, export: dict[str, Json]) -> Iterator[Span]:
    for first, resource in enumerate(map(as_object, as_list(export.get("resourceSpans")))):
        for second, scope in enumerate(map(as_object, as_list(resource.get("scopeSpans")))):
            for third, item in enumerate(map(as_object, as_list(scope.get("spans")))):
                place = f"[{position}].resourceSpans[{first}].scopeSpans[{second}].spans[{third}]"
                yield _of_otlp(place, item)


def _of_otlp(place: str, item: dict[str, Json]) -> Span:
    status = as_object(item.get("status"))
    events = [
        (as_text(event.get("name")), _attributes(event.get("attributes")))
        for event in map(as_object, as_list(item.get("events")))
    ]
    return Span(
        place=place,
        trace=_id(item.get("traceId")),
        id=_id(item.get("spanId")),
        parent=_id(item.get("parentSpanId")),
        name=as_text(item.get("name")) or "",
        start_ns=_nanoseconds(item.get("startTimeUnixNano")),
        end_ns=_nanoseconds(item.get("endTimeUnixNano")),
        is_error=status.get("code") in _ERRORS,
        error=as_text(status.get("message")) or "",
        error_type=_error_type(events),
        attributes=_attributes(item.get("attributes")),
    )


def _of_sdk(place: str, item: dict[str, Json]) -> Span:
    status, context = as_object(item.get("status")), as_object(item.get("context"))
    events = [
        (as_text(event.get("name")), as_object(event.get("attributes")))
        for event in map(as_object, as_list(item.get("events")))
    ]
    return Span(
        place=place,
        trace=_id(context.get("trace_id")),
        id=_id(context.get("span_id")),
        parent=_id(item.get("parent_id")),
        name=as_text(item.get("name")) or "",
        start_ns=_nanoseconds(item.get("start_time")),
        end_ns=_nanoseconds(item.get("end_time")),
        is_error=status.get("status_code") in _ERRORS,
        error=as_text(status.get("description")) or "",
        error_type=_error_type(events),
        attributes=as_object(item.get("attributes")),
    )


def _error_type(events: list[tuple[str | None, dict[str, Json]]]) -> str:
    """The class of the exception that the span recorded, without its module."""
    kinds = [as_text(attributes.get("exception.type")) for name, attributes in events if name == "exception"]
    return next((kind.rsplit(".", 1)[-1] for kind in reversed(kinds) if kind is not None), "")


def _attributes(listed: Json) -> dict[str, Json]:
    """OTLP's list of keys with typed values."""
    return {
        key: _value(as_object(item.get("value")))
        for item in map(as_object, as_list(listed))
        if (key := as_text(item.get("key"))) is not None
    }


def _value(typed: dict[str, Json]) -> Json:
    """Integers are texts in OTLP JSON."""
    if "intValue" in typed:
        given = typed["intValue"]
        return int(given) if isinstance(given, str) and given.lstrip("-").isdigit() and len(given) < 19 else given
    for kind in ("stringValue", "doubleValue", "boolValue"):
        if kind in typed:
            return typed[kind]
    if "arrayValue" in typed:
        return [_value(as_object(item)) for item in as_list(as_object(typed["arrayValue"]).get("values"))]
    if "kvlistValue" in typed:
        return _attributes(as_object(typed["kvlistValue"]).get("values"))
    return None


def _id(value: Json) -> str | None:
    text = as_text(value)
    if text is None:
        return None
    match = _HEX.fullmatch(text)
    if match is not None:
        return match[1].lower()
    try:
        return base64.b64decode(text, validate=True).hex() or None
    except (binascii.Error, ValueError):
        return None


def _nanoseconds(value: Json) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    text = as_text(value)
    if text is None:
        return None
    if text.isascii() and text.isdigit():
        return int(text[:20])
    try:
        moment = datetime.datetime.fromisoformat(text)
    except ValueError:
        return None
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=datetime.UTC)
    return (aware - _EPOCH) // datetime.timedelta(microseconds=1) * 1000


def _iso(nanoseconds: int) -> str | None:
    try:
        moment = _EPOCH + datetime.timedelta(microseconds=nanoseconds // 1000)
    except OverflowError:
        return None
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")
