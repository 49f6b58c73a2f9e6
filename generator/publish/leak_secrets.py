"""What must not be found in a site: canaries, private values, system prompts, gold answers; and what is public."""

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import msgspec

from generator.model.base import Json
from generator.model.cases import Fact, Gold
from generator.model.runs import Run
from generator.model.source import Source
from generator.publish.leak_text import normal

CANARY, PRIVATE, PROMPT, GOLD = "RC602", "RC603", "RC604", "RC605"

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z_]{0,40}")
_LONG_NUMBER = re.compile(r"[0-9]{9,}")
_LONG, _TOO_LONG = 400, 100_000
"""Characters, between which a text is worth remembering."""


@dataclass(frozen=True, slots=True)
class Secret:
    """A text that must not be found, and where the source holds it. `place` never quotes it."""

    code: str
    place: str
    normal: str


@dataclass(frozen=True, slots=True)
class Public:
    """What may be found, besides definitions: words of the interface, long numbers of configurations."""

    words: list[str]
    numbers: frozenset[str]


def defined_secrets(source: Source) -> list[Secret]:
    """Secrets of the definitions: their number does not grow with the runs."""
    found: dict[tuple[str, str], Secret] = {}
    for code, place, text in _defined(source):
        secret = Secret(code, place, normal(text))
        found.setdefault((code, secret.normal), secret)
    return list(found.values())


def _defined(source: Source) -> Iterator[tuple[str, str, str]]:
    for number, canary in enumerate(source.publication.canaries):
        place = f"publication.yaml canaries[{number}]"
        yield CANARY, place, canary
        yield from ((CANARY, place, encoded) for encoded in base64_forms(canary))
    for name, session in sorted(source.sessions.items()):
        for number, entry in enumerate(session.entries):
            if entry.role == "system":
                yield PROMPT, f"sessions/{name}.yaml entries[{number}].text", entry.text
    for name, bank in sorted(source.case_banks.items()):
        for number, case in enumerate(bank.cases):
            for path, text in _gold(case.gold):
                yield GOLD, f"cases/{name}.yaml cases[{number}].gold.{path}", text
    for batch in source.batches:
        if batch.batch.authorization is not None:
            for number, datum in enumerate(batch.batch.authorization.restricted_data):
                place = f"{batch.head_name} authorization.restricted_data[{number}]"
                yield from ((GOLD, place, str(value)) for value in datum.values)


def _gold(gold: Gold) -> Iterator[tuple[str, str]]:
    """What answers and calls are compared with. Names of tools are public: the catalogue lists them."""
    facts: list[tuple[str, list[Fact] | None]] = [
        ("key_facts", gold.key_facts),
        ("stale_facts", gold.stale_facts),
        ("stop_when_facts_available", gold.stop_when_facts_available),
    ]
    for name, listed in facts:
        for number, fact in enumerate(listed or []):
            yield from ((f"{name}[{number}]", str(value)) for value in fact.values)
    for number, item in enumerate(gold.required_items or []):
        yield f"required_items[{number}]", item.text
    yield from (("allowed_derived_values", str(value)) for value in gold.allowed_derived_values)
    for number, call in enumerate(gold.required_calls or []):
        yield from ((f"required_calls[{number}]", text) for _, text in leaves(call.args))
    for number, alternatives in enumerate(gold.acceptable_alternatives or []):
        for group in alternatives.groups:
            for call in group:
                yield from ((f"acceptable_alternatives[{number}]", text) for _, text in leaves(call.args))
    for name, patterns in (
        ("forbidden_calls", gold.forbidden_calls),
        ("confirmation_required", gold.confirmation_required),
    ):
        for number, pattern in enumerate(patterns or []):
            yield from ((f"{name}[{number}]", text) for _, text in leaves(pattern.args))


def run_secrets(run: Run) -> list[Secret]:
    """The values of the private fields of a run and its instructions, without the names that it is published under."""
    names = {normal(name) for name in (run.run_id, run.case_id, run.variant, run.config_hash, run.source_run_id or "")}
    values = [(PRIVATE, f"private{path}", text) for path, text in leaves(run.private)]
    for number, entry in enumerate(run.context.entries if run.context else []):
        if entry.region == "instruction":
            values.append((PROMPT, f"context.entries[{number}].text", entry.text))
    secrets = (Secret(code, place, _normal(text)) for code, place, text in values)
    return [secret for secret in secrets if secret.normal not in names]


def _normal(text: str) -> str:
    """Runs repeat long texts, such as a policy or the script of a user, and are asked more than once."""
    return _remembered(text) if _LONG <= len(text) <= _TOO_LONG else normal(text)


_remembered = lru_cache(maxsize=64)(normal)


def said_by(run: Run) -> str:
    """All that the run itself put out, in normal form: a right answer holds gold values."""
    trace = msgspec.to_builtins(run.trace)
    return normal("\n".join([run.answer or "", *(text for _, text in leaves(trace, with_keys=True))]))


def public_words(source: Source) -> Iterator[str]:
    """Texts of the definitions that are published as they are."""
    yield from _texts([source.metrics, list(source.experiments.values()), source.projection])
    yield from _texts([source.catalogs, source.contracts])
    yield from _texts([source.publication.title, source.publication.summary, source.publication.publisher])
    yield from _texts([source.policies[name].title for name in sorted(source.policies)])
    for bank in source.case_banks.values():
        yield from _texts([bank.title, bank.categories])
        for case in bank.cases:
            yield from _texts([case.id, case.title, case.prompt])
    for batch in source.batches:
        head = msgspec.to_builtins(batch.batch)
        head.pop("authorization", None)
        yield from _texts(head)


def public_numbers(value: object) -> frozenset[str]:
    """Long numbers in a configuration: what looks like a card number may be a seed."""
    return frozenset(number for text in _texts(value) for number in _LONG_NUMBER.findall(text))


def _texts(value: object) -> Iterator[str]:
    return (text for _, text in leaves(msgspec.to_builtins(value), with_keys=True))


def leaves(value: Json, *, with_keys: bool = False) -> Iterator[tuple[str, str]]:
    """(path, text) of every text and number in a value. Keys that may themselves be secret are `*` in the path."""
    pending: list[tuple[str, Json]] = [("", value)]
    while pending:
        path, item = pending.pop()
        if isinstance(item, dict):
            for key, inner in item.items():
                if with_keys:
                    yield path, key
                pending.append((f"{path}.{key if _PLAIN_KEY.fullmatch(key) else '*'}", inner))
        elif isinstance(item, list):
            pending.extend((f"{path}[{number}]", inner) for number, inner in enumerate(item))
        elif item is not None and not isinstance(item, bool):
            yield path, str(item)


def base64_forms(text: str) -> list[str]:
    """What a text looks like inside a longer one that was encoded as Base64, at each of the three alignments."""
    raw = text.encode("utf-8", "surrogatepass")
    forms = []
    for before, cut in ((0, 0), (1, 2), (2, 3)):
        encoded = base64.b64encode(b"\0" * before + raw).decode()
        forms.append(encoded[cut : (before + len(raw)) * 8 // 6])
    return forms
