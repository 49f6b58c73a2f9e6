"""What pages may say of a configuration: only values whose path the whitelist names."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from generator.model.base import Json
from generator.model.experiments import Experiment
from generator.model.projection import Projection

LONGEST_VALUE = 120

IsPublished = Callable[[str], bool]


@dataclass(frozen=True)
class ValueRow:
    """A path and its value under each variant: None where there is none, "" where the value is withheld."""

    path: str
    values: list[list[str] | None]


def published_paths(projection: Projection) -> IsPublished:
    """Tells whether the effective value at a path of the configuration may be shown as it is."""
    patterns = [
        re.compile(_pattern(field.path))
        for field in projection.fields
        if field.path.startswith("config.") and field.treatment == "keep"
    ]

    def is_published(path: str) -> bool:
        return any(pattern.fullmatch(f"config.effective.{path}") for pattern in patterns)

    return is_published


def flatten(value: Json, path: str = "") -> Iterator[tuple[str, Json]]:
    """The scalars of a configuration with their paths; `[]` stands for every element of a list.

    An empty object or list is a value of its own.
    """
    if isinstance(value, dict) and value:
        for key in sorted(value):
            yield from flatten(value[key], f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value:
        for element in value:
            yield from flatten(element, f"{path}[]")
    else:
        yield path, value


def value_words(value: Json) -> str:
    """A value as it is written in JSON, text without its quotes."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE] + "…"


def variant_values(experiment: Experiment, is_published: IsPublished) -> list[ValueRow]:
    """The values of the independent variable, path by path, for the variants in their order."""
    root = experiment.independent_variable
    by_variant = [_grouped(variant.value, root) for variant in experiment.ordered_variants]
    paths = sorted({path for values in by_variant for path in values})
    return [
        ValueRow(path, [shown_values(values.get(path), path, is_published) for values in by_variant]) for path in paths
    ]


def shown_values(values: list[str] | None, path: str, is_published: IsPublished) -> list[str] | None:
    """The values themselves, or an empty list where the whitelist withholds them.

    An empty list or object shows at the path of its elements too: the whitelist names those.
    """
    if values is None or is_published(path) or is_published(f"{path}[]"):
        return values
    return []


def _grouped(value: Json, root: str) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = {}
    for path, scalar in flatten(value, root):
        grouped.setdefault(path, []).append(value_words(scalar))
    return grouped


def _pattern(path: str) -> str:
    return r"\.".join("[^.]+" if part == "*" else re.escape(part).replace(r"\[\]", r"\[\]") for part in path.split("."))
