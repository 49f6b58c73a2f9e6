"""Whether a value follows a published JSON Schema: the subset of JSON Schema that those use.

Stricter than JSON Schema in one thing: an object whose `properties` are named may have no others.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

Schema = dict[str, Any]
Problem = tuple[str, str, str]
"""Where in the value (`.trace[2].kind`), what stands there (a kind of value, never content), and what should."""

_SAID_ELSEWHERE = {"$schema", "$defs", "title", "description", "default"}
_DAY = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])")


def schema_problems(value: Any, schema: Schema) -> list[Problem]:
    """Everything in `value` that does not follow `schema`.

    Raises
    ------
    ValueError
        the schema has a keyword that is not known here.
    """
    return list(_check(value, schema, schema, ""))


def _check(value: Any, schema: Schema, root: Schema, path: str) -> Iterator[Problem]:
    for keyword, wanted in schema.items():
        if keyword in _SAID_ELSEWHERE:
            continue
        if keyword == "$ref":
            yield from _check(value, _definition(root, wanted), root, path)
        elif keyword == "anyOf":
            if not any(next(_check(value, other, root, path), None) is None for other in wanted):
                yield path, kind_of(value), "one of the published forms"
        elif keyword == "enum":
            if value not in wanted or isinstance(value, bool):
                yield path, kind_of(value), f"one of {', '.join(map(str, wanted))}"
        elif keyword == "type":
            if kind_of(value) != wanted and (wanted, kind_of(value)) != ("number", "integer"):
                yield path, kind_of(value), wanted
        elif isinstance(value, dict):
            yield from _check_object(keyword, value, schema, root, path)
        elif isinstance(value, list):
            yield from _check_array(keyword, value, schema, root, path)
        elif keyword == "format" and isinstance(value, str):
            if wanted != "date" or not _DAY.fullmatch(value):
                yield path, "another text", wanted
        elif keyword not in _OF_CONTAINERS:
            raise ValueError(f"the schema keyword {keyword} is not known")


_OF_CONTAINERS = {
    "properties",
    "required",
    "additionalProperties",
    "maxProperties",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
    "format",
}


def _check_object(keyword: str, value: dict[str, Any], schema: Schema, root: Schema, path: str) -> Iterator[Problem]:
    wanted = schema[keyword]
    if keyword == "properties":
        for key, item in value.items():
            if key in wanted:
                yield from _check(item, wanted[key], root, f"{path}.{key}")
            elif "additionalProperties" not in schema:
                yield f"{path}.{key}", "a key", "none of this name"
    elif keyword == "required":
        yield from ((f"{path}.{key}", "no key", "always written") for key in wanted if key not in value)
    elif keyword == "additionalProperties" and isinstance(wanted, dict):
        named = schema.get("properties", ())
        for key, item in value.items():
            if key not in named:
                yield from _check(item, wanted, root, f"{path}.{key}")
    elif keyword == "maxProperties" and len(value) > wanted:
        yield path, f"{len(value)} keys", f"{wanted} at most"


def _check_array(keyword: str, value: list[Any], schema: Schema, root: Schema, path: str) -> Iterator[Problem]:
    wanted = schema[keyword]
    if keyword == "items" and isinstance(wanted, dict):
        for place, item in enumerate(value):
            yield from _check(item, wanted, root, f"{path}[{place}]")
    elif keyword == "prefixItems":
        for place, (item, one) in enumerate(zip(value, wanted, strict=False)):
            yield from _check(item, one, root, f"{path}[{place}]")
    elif (keyword == "minItems" and len(value) < wanted) or (keyword == "maxItems" and len(value) > wanted):
        yield path, f"{len(value)} items", f"{keyword} {wanted}"


def _definition(root: Schema, reference: str) -> Schema:
    """`#/$defs/Name`."""
    found: Schema = root["$defs"][reference.removeprefix("#/$defs/")]
    return found


_KIND_OF_TYPE: dict[type, str] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    Fraction: "number",
    list: "array",
    dict: "object",
    type(None): "null",
}


def kind_of(value: Any) -> str:
    """The JSON Schema type of a value as `json_files` reads it."""
    return _KIND_OF_TYPE[type(value)]
