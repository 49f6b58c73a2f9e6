"""Compares a JSON value with a record's type and reports everything that is wrong, not only the first thing.

msgspec decodes fast but stops at its first error; this walks the same types (`msgspec.inspect`) where it has failed, or
where all errors are wanted.
"""

import datetime
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Literal

import msgspec
from msgspec import inspect

from generator.model.base import Json
from generator.model.words import closest, kind_of

Path = tuple[str | int, ...]
Kind = Literal["type", "option", "unknown", "missing"]

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Mismatch(msgspec.Struct, frozen=True, kw_only=True):
    """One difference between a value and its type. `path` is where; `found` quotes definitions only."""

    kind: Kind
    path: Path
    expected: str
    found: str
    remedy: str


@lru_cache(maxsize=64)
def described(type_: type) -> inspect.Type:
    return inspect.type_info(type_)


def mismatches(value: Json, type_: type, *, quote: bool) -> Iterator[Mismatch]:
    """All differences between a value and a record type. `quote`: whether short scalars may be quoted."""
    return _Walk(quote).walk(value, described(type_), ())


def known_path(path: Path, type_: type) -> Path:
    """The part of a path that a record type knows: what follows is content, and its keys too."""
    info = described(type_)
    for length, step in enumerate(path):
        inner = _step(info, step)
        if inner is None:
            return path[:length]
        info = inner
    return path


def without_unknown_keys(value: Json, type_: type) -> Json:
    """The value with nothing but what its record type names: msgspec stumbles over other keys that have no UTF-8."""
    return _known_part(value, described(type_))


def _known_part(value: Json, info: inspect.Type | None) -> Json:
    if isinstance(value, list):
        return [_known_part(item, None if info is None else _step(info, 0)) for item in value]
    if not isinstance(value, dict) or info is None:
        return value
    structs = info.types if isinstance(info, inspect.UnionType) else (info,)
    chosen = [it for it in structs if isinstance(it, inspect.StructType) and _fits(value, it)]
    if not chosen:
        return value
    tag = [] if chosen[0].tag_field is None else [chosen[0].tag_field]
    names = [*tag, *(field.encode_name for field in chosen[0].fields)]
    return {name: _known_part(value[name], _step(chosen[0], name)) for name in names if name in value}


def _fits(value: dict[str, Json], info: inspect.StructType) -> bool:
    return info.tag_field is None or value.get(info.tag_field) == info.tag


class _Walk:
    def __init__(self, quote: bool) -> None:
        self.quote = quote

    def walk(self, value: Json, info: inspect.Type, path: Path) -> Iterator[Mismatch]:
        if isinstance(info, inspect.AnyType):
            return
        if isinstance(info, inspect.UnionType):
            yield from self._union(value, info, path)
        elif isinstance(info, inspect.StructType):
            yield from self._struct(value, info, path)
        elif isinstance(info, inspect.LiteralType):
            yield from self._literal(value, info, path)
        elif isinstance(info, (inspect.ListType, inspect.VarTupleType)):
            yield from self._list(value, info, path)
        elif isinstance(info, inspect.TupleType):
            yield from self._tuple(value, info, path)
        elif isinstance(info, inspect.DictType):
            yield from self._dict(value, info, path)
        elif not _is_scalar(value, info):
            yield self._wrong(value, info, path)

    def _union(self, value: Json, info: inspect.UnionType, path: Path) -> Iterator[Mismatch]:
        options = [option for option in info.types if not isinstance(option, inspect.NoneType)]
        if value is None and len(options) < len(info.types):
            return
        structs = [option for option in options if isinstance(option, inspect.StructType)]
        if len(structs) > 1 and isinstance(value, dict):
            yield from self._tagged(value, structs, path)
        elif len(options) == 1:
            for wrong in self.walk(value, options[0], path):
                whole = wrong.path == path and len(info.types) > 1
                yield msgspec.structs.replace(wrong, expected=f"{wrong.expected} or nothing") if whole else wrong
        elif not any(_is_scalar(value, option) for option in options):
            yield self._wrong(value, info, path)

    def _tagged(self, value: dict[str, Json], structs: list[inspect.StructType], path: Path) -> Iterator[Mismatch]:
        key = structs[0].tag_field or "type"
        for struct in structs:
            if value.get(key) == struct.tag:
                yield from self._struct(value, struct, path)
                return
        tags = sorted(str(struct.tag) for struct in structs)
        expected = "one of " + ", ".join(tags)
        if key in value:
            found, close = self._found(value[key]), closest(str(value[key]), tags)
            remedy = f"did you mean `{close}`?" if close else "use one of them"
            yield Mismatch(kind="option", path=(*path, key), expected=expected, found=found, remedy=remedy)
        else:
            yield _missing(path, key, expected)

    def _struct(self, value: Json, info: inspect.StructType, path: Path) -> Iterator[Mismatch]:
        if not isinstance(value, dict):
            yield self._wrong(value, info, path)
            return
        fields = {field.encode_name: field for field in info.fields}
        for name, field in fields.items():
            if name in value:
                yield from self.walk(value[name], field.type, (*path, name))
            elif field.required:
                yield _missing(path, name, _in_words(field.type))
        if info.forbid_unknown_fields:
            for key in value:
                if key not in fields and key != info.tag_field:
                    yield _unknown(path, key, list(fields))

    def _literal(self, value: Json, info: inspect.LiteralType, path: Path) -> Iterator[Mismatch]:
        if isinstance(value, (str, int)) and not isinstance(value, bool) and value in info.values:
            return
        close = closest(str(value), map(str, info.values))
        remedy = f"did you mean `{close}`?" if close else "use one of them"
        yield Mismatch(kind="option", path=path, expected=_in_words(info), found=self._found(value), remedy=remedy)

    def _list(self, value: Json, info: inspect.ListType | inspect.VarTupleType, path: Path) -> Iterator[Mismatch]:
        if not isinstance(value, list):
            yield self._wrong(value, info, path)
            return
        for position, item in enumerate(value):
            yield from self.walk(item, info.item_type, (*path, position))

    def _tuple(self, value: Json, info: inspect.TupleType, path: Path) -> Iterator[Mismatch]:
        """A list of so many entries, each of its own type."""
        if not isinstance(value, list):
            yield self._wrong(value, info, path)
            return
        if len(value) != len(info.item_types):
            expected, found = f"a list of {len(info.item_types)}", f"a list of {len(value)}"
            yield Mismatch(kind="type", path=path, expected=expected, found=found, remedy="write all of them")
            return
        for position, (item, type_) in enumerate(zip(value, info.item_types, strict=True)):
            yield from self.walk(item, type_, (*path, position))

    def _dict(self, value: Json, info: inspect.DictType, path: Path) -> Iterator[Mismatch]:
        if not isinstance(value, dict):
            yield self._wrong(value, info, path)
            return
        for key, item in value.items():
            yield from self.walk(item, info.value_type, (*path, key))

    def _wrong(self, value: Json, info: inspect.Type, path: Path) -> Mismatch:
        remedy = _remedy(value, info, path)
        return Mismatch(kind="type", path=path, expected=_in_words(info), found=self._found(value), remedy=remedy)

    def _found(self, value: Json) -> str:
        words = kind_of(value)
        if not self.quote or value is None or isinstance(value, (list, dict)):
            return words
        text = str(value).lower() if isinstance(value, bool) else str(value)
        return f"{words} (`{text}`)" if len(text) <= 60 else words


def _remedy(value: Json, info: inspect.Type, path: Path) -> str:
    """What to write instead."""
    if value is None:
        return "write a value, or remove the key" if path else "the file is empty: write its content"
    options = [option for option in getattr(info, "types", (info,)) if not isinstance(option, inspect.NoneType)]
    if not isinstance(value, (str, list, dict)) and any(isinstance(option, inspect.StrType) for option in options):
        return "write it in quotes"
    if isinstance(value, str) and any(isinstance(option, (inspect.IntType, inspect.FloatType)) for option in options):
        return "write the number without quotes or units"
    for option in options:
        if isinstance(option, inspect.StructType):
            keys = ", ".join(f"{field.encode_name}: …" for field in option.fields if field.required)
            return f"write it as {{{keys}}}"
    return next((_FORMS[type(option)] for option in options if type(option) in _FORMS), "correct the value")


_FORMS: dict[type, str] = {
    inspect.BoolType: "write true or false, without quotes",
    inspect.DateType: "write a day that exists, such as 2026-11-30",
    inspect.ListType: "write a list, also for one entry: [a]",
    inspect.VarTupleType: "write a list, also for one entry: [a]",
    inspect.DictType: "write an object: {key: value}",
}


def _is_scalar(value: Json, info: inspect.Type) -> bool:
    if isinstance(info, inspect.BoolType):
        return isinstance(value, bool)
    if isinstance(value, bool):
        return False
    if isinstance(info, inspect.StrType):
        return isinstance(value, str)
    if isinstance(info, inspect.IntType):
        return isinstance(value, int)
    if isinstance(info, inspect.FloatType):
        return isinstance(value, (int, float))
    if isinstance(info, inspect.NoneType):
        return value is None
    if isinstance(info, inspect.DateType):
        return isinstance(value, str) and _is_date(value)
    return isinstance(info, inspect.LiteralType) and value in info.values


def _is_date(text: str) -> bool:
    try:
        return _DATE.fullmatch(text) is not None and bool(datetime.date.fromisoformat(text))
    except ValueError:
        return False


_SCALARS: dict[type, str] = {
    inspect.StrType: "a text",
    inspect.IntType: "an integer",
    inspect.FloatType: "a number",
    inspect.BoolType: "true or false",
    inspect.NoneType: "nothing",
    inspect.DateType: "a date (YYYY-MM-DD)",
    inspect.AnyType: "a value",
    inspect.ListType: "a list",
    inspect.VarTupleType: "a list",
    inspect.TupleType: "a list",
    inspect.DictType: "an object",
}


def _in_words(info: inspect.Type) -> str:
    if isinstance(info, inspect.LiteralType):
        return "one of " + ", ".join(str(option) for option in info.values)
    if isinstance(info, inspect.StructType):
        keys = ", ".join(field.encode_name for field in info.fields if field.required)
        return f"an object with {keys}" if keys else "an object"
    if isinstance(info, inspect.UnionType):
        words = [_in_words(option) for option in info.types]
        if "a number" in words and "an integer" in words:
            words.remove("an integer")
        return " or ".join(sorted(words, key=lambda word: word == "nothing"))
    return _SCALARS.get(type(info), "a value")


def _missing(path: Path, key: str, expected: str) -> Mismatch:
    return Mismatch(kind="missing", path=(*path, key), expected=expected, found="no such key", remedy=f"add `{key}`")


def _unknown(path: Path, key: str, known: list[str]) -> Mismatch:
    close = closest(key, known)
    remedy = f"did you mean `{close}`?" if close else "remove it, or correct its spelling"
    expected = "one of the keys " + ", ".join(known)
    return Mismatch(kind="unknown", path=(*path, key), expected=expected, found=f"`{key}`", remedy=remedy)


def _step(info: inspect.Type, step: str | int) -> inspect.Type | None:
    """The type of a part; None where the type says nothing of it."""
    if isinstance(info, inspect.UnionType):
        inner: list[Any] = [found for option in info.types if (found := _step(option, step)) is not None]
        return inner[0] if inner else None
    if isinstance(info, (inspect.ListType, inspect.VarTupleType)) and isinstance(step, int):
        return info.item_type
    if isinstance(info, inspect.TupleType) and isinstance(step, int):
        return info.item_types[step] if step < len(info.item_types) else None
    if isinstance(info, inspect.StructType):
        if step == info.tag_field:
            return inspect.StrType()
        return next((field.type for field in info.fields if field.encode_name == step), None)
    return None
