"""Whether a value follows a published JSON Schema: the subset of JSON Schema that those use.

Stricter than JSON Schema in one thing: an object whose `properties` are named may have no others. A schema is made into
a function once, because thousands of values are held against it.
"""

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

Schema = dict[str, Any]
Problem = tuple[str, str, str]
"""Where in the value (`.trace[2].kind`), what stands there (a kind of value, never content), and what should."""

Form = Callable[[Any], Sequence[Problem]]
"""Everything in a value that does not follow a schema."""

_SAID_ELSEWHERE = {"$schema", "$defs", "title", "description", "default"}
_OF_OBJECTS = {"properties", "required", "additionalProperties", "maxProperties"}
_OF_ARRAYS = {"items", "prefixItems", "minItems", "maxItems"}
_DAY = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])")
_KIND_OF_TYPE: dict[type, str] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    Fraction: "number",
    list: "array",
    dict: "object",
    type(None): "null",
}


def form_of(schema: Schema) -> Form:
    """The function of a schema.

    Raises
    ------
    ValueError
        the schema has a keyword that is not known here.
    """
    return _Maker(schema).make(schema)


def kind_of(value: Any) -> str:
    """The JSON Schema type of a value as `json_files` reads it."""
    return _KIND_OF_TYPE[type(value)]


class _Maker:
    """Makes the functions of the parts of one schema; a definition may refer to itself."""

    def __init__(self, root: Schema) -> None:
        self._definitions: Schema = root.get("$defs", {})
        self._made: dict[str, Form] = {}

    def make(self, schema: Schema) -> Form:
        keywords = schema.keys() - _SAID_ELSEWHERE
        forms: list[Form] = []
        for keyword in sorted(keywords - _OF_OBJECTS - _OF_ARRAYS):
            maker = _MAKERS.get(keyword)
            if maker is None:
                raise ValueError(f"the schema keyword {keyword} is not known")
            forms.append(maker(self, schema[keyword]))
        if keywords & _OF_OBJECTS:
            forms.append(self._object(schema))
        if keywords & _OF_ARRAYS:
            forms.append(self._array(schema))
        return forms[0] if len(forms) == 1 else _every(forms)

    def refer(self, reference: str) -> Form:
        """`#/$defs/Name`."""
        name = reference.removeprefix("#/$defs/")
        if name not in self._made:
            self._made[name] = lambda value: self._made[name](value)
            self._made[name] = self.make(self._definitions[name])
        return lambda value: self._made[name](value)

    def any_of(self, others: list[Schema]) -> Form:
        forms = [self.make(other) for other in others]

        def check(value: Any) -> Sequence[Problem]:
            for form in forms:
                if not form(value):
                    return ()
            return [("", kind_of(value), "one of the published forms")]

        return check

    def _object(self, schema: Schema) -> Form:
        named = {key: self.make(one) for key, one in schema.get("properties", {}).items()}
        required = frozenset(schema.get("required", ()))
        others = schema.get("additionalProperties", "properties" not in schema)
        other = self.make(others) if isinstance(others, dict) else None
        most = schema.get("maxProperties")

        def check(value: Any) -> Sequence[Problem]:
            if type(value) is not dict:
                return ()
            problems: list[Problem] = []
            for key, item in value.items():
                form = named.get(key, other)
                if form is not None:
                    found = form(item)
                    if found:
                        problems += _within(f".{key}", found)
                elif others is False:
                    problems.append((f".{key}", "a key", "none of this name"))
            if not required <= value.keys():
                problems += [(f".{key}", "no key", "always written") for key in sorted(required - value.keys())]
            if most is not None and len(value) > most:
                problems.append(("", f"{len(value)} keys", f"{most} at most"))
            return problems

        return check

    def _array(self, schema: Schema) -> Form:
        every = schema.get("items")
        form = self.make(every) if isinstance(every, dict) else None
        first = [self.make(one) for one in schema.get("prefixItems", ())]
        fewest, most = schema.get("minItems", 0), schema.get("maxItems")

        def check(value: Any) -> Sequence[Problem]:
            if type(value) is not list:
                return ()
            problems: list[Problem] = []
            for place, item in enumerate(value):
                one = first[place] if place < len(first) else form
                found = () if one is None else one(item)
                if found:
                    problems += _within(f"[{place}]", found)
            if len(value) < fewest:
                problems.append(("", f"{len(value)} items", f"minItems {fewest}"))
            if most is not None and len(value) > most:
                problems.append(("", f"{len(value)} items", f"maxItems {most}"))
            return problems

        return check


def _every(forms: list[Form]) -> Form:
    def check(value: Any) -> Sequence[Problem]:
        problems: list[Problem] = []
        for form in forms:
            found = form(value)
            if found:
                problems += found
        return problems

    return check


def _within(place: str, problems: Sequence[Problem]) -> list[Problem]:
    return [(place + path, found, wanted) for path, found, wanted in problems]


def _type(maker: _Maker, wanted: str) -> Form:
    types = {kind for kind, name in _KIND_OF_TYPE.items() if name == wanted or (wanted, name) == ("number", "integer")}
    return lambda value: () if type(value) in types else [("", kind_of(value), wanted)]


def _enum(maker: _Maker, wanted: list[Any]) -> Form:
    said = f"one of {', '.join(map(str, wanted))}"
    return lambda value: () if value in wanted and type(value) is not bool else [("", kind_of(value), said)]


def _format(maker: _Maker, wanted: str) -> Form:
    if wanted != "date":
        raise ValueError(f"the format {wanted} is not known")
    return lambda value: [("", "another text", wanted)] if type(value) is str and not _DAY.fullmatch(value) else ()


_MAKERS: dict[str, Callable[[_Maker, Any], Form]] = {
    "$ref": _Maker.refer,
    "anyOf": _Maker.any_of,
    "enum": _enum,
    "type": _type,
    "format": _format,
}
