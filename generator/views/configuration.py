"""What pages say of a configuration: only what is published of it, written to be read."""

from dataclasses import dataclass
from typing import Literal

import msgspec

from generator.model.base import Json
from generator.model.evidence import is_treated
from generator.model.experiments import Experiment
from generator.model.json_leaves import Keys, dotted, is_below, keys_to
from generator.model.rows import PublishedConfig

LONGEST_VALUE = 120
INSIDE = ".*"
"""Stands for what lies below a path: its names are withheld with its values."""


@dataclass(frozen=True)
class ShownValue:
    """`words` are a value as it is written, or a text as its hash; empty where nothing is shown."""

    kind: Literal["value", "hash", "withheld", "absent"]
    words: str = ""


WITHHELD = ShownValue("withheld")
ABSENT_VALUE = ShownValue("absent")


@dataclass(frozen=True)
class ValueRow:
    """A path and its value under each variant."""

    path: str
    values: list[ShownValue]


def shown_value(published: PublishedConfig, keys: Keys) -> ShownValue:
    """A leaf of a configuration."""
    if keys not in published.values:
        return WITHHELD if keys in published.withheld else ABSENT_VALUE
    value = published.values[keys]
    if isinstance(value, dict) and is_treated(value):
        if value["text"] is not None:
            return ShownValue("value", value_words(value["text"]) + ("…" if value["truncated"] else ""))
        return WITHHELD if value["sha256"] is None else ShownValue("hash", f"sha256:{value['sha256']}")
    return ShownValue("value", value_words(value))


def value_words(value: Json) -> str:
    """A value as JSON writes it; a text without its quotes where it cannot be taken for another value. Shortened, so
    never to be compared."""
    text = _text_words(value) if isinstance(value, str) else _list_words(value)
    return text if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE] + "…"


def _list_words(value: Json) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_text_words(item) if isinstance(item, str) else _list_words(item) for item in value)}]"
    return msgspec.json.encode(value).decode()


def _text_words(text: str) -> str:
    quoted = msgspec.json.encode(text).decode()
    if not text.strip() or text[0] in '["{':
        return quoted
    try:
        msgspec.json.decode(text)
    except msgspec.MsgspecError:
        return text
    return quoted


def variant_values(experiment: Experiment, declared: dict[str, PublishedConfig]) -> list[ValueRow]:
    """The values of the independent variable, path by path, for the variants in their order. `declared` by variant."""
    configs = [declared.get(variant.id, PublishedConfig()) for variant in experiment.ordered_variants]
    public = sorted({keys for config in configs for keys in config.values})
    rows = [ValueRow(dotted(keys), [shown_value(config, keys) for config in configs]) for keys in public]
    root = keys_to(experiment.independent_variable)
    withheld = sorted({keys for config in configs for keys in config.withheld}.difference(public))
    if withheld:
        path = public_name(withheld, root)
        rows.append(ValueRow(path, [WITHHELD if config.withheld else ABSENT_VALUE for config in configs]))
    return rows


def public_name(withheld: list[Keys], root: Keys) -> str:
    """How leaves at or below `root`, which a template names, are called where their own names are withheld."""
    assert all(is_below(keys, root) for keys in withheld)
    return dotted(root) + ("" if withheld == [root] else INSIDE)
