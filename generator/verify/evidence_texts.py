"""What sections of an evidence page say, in order, written anew from the evidence JSON."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from generator.verify.found import Fact
from generator.verify.json_files import WrittenNumber, parse
from generator.verify.lexicon import Lexicon
from generator.verify.vocabulary import unmarked

Expected = tuple[str, Any]
"""Kind of a fact, and the value that its text must say."""

FOLDED = "folded"
"""Kind of what may stand before JSON, or not: its length, which depends on how it is set, and the word for it."""

_TREATED = {"text", "truncated", "length", "sha256"}
_LONG = 600
"""Longer texts are folded, and their length stands before them."""
_LEFT_OUT = ("missing_required_count",)
_SHOWN_ZEROS = ("total", "reward")
_CODED = ("event", "authority", "censored")
_MARKED = ("unmatched", "violations")


@dataclass(frozen=True)
class Prefixed:
    """A key before a value."""

    key: str
    value: Any


class Texts:
    """The sections of the page of one run."""

    def __init__(self, evidence: dict[str, Any], lexicon: Lexicon) -> None:
        self._evidence = evidence
        self._lexicon = lexicon

    def sections(self) -> Iterator[tuple[str, list[Expected]]]:
        """Names of sections, and what they say."""
        yield "assertions", list(self._assertions())
        yield "trace", list(self._trace())
        yield "answer", list(self._answer())
        yield "telemetry", list(self._telemetry())

    def _word(self, name: str) -> list[Fact]:
        return self._lexicon.word(f"evidence.{name}")

    def _assertions(self) -> Iterator[Expected]:
        lexicon, assertions = self._lexicon, self._evidence["assertions"]
        yield from self._word("assertions")
        if not assertions:
            yield from self._word("not_judged")
        else:
            yield from self._word("assertions_caption")
            for key in ("common.metric", "common.value"):
                yield from lexicon.word(key)
            yield from self._word("detail")
            features = [metric for metric in assertions if lexicon.is_feature(metric)]
            for metric, assertion in assertions.items():
                if metric not in features:
                    yield from self._assertion(metric, assertion)
            if features:
                yield from lexicon.word("behaviour.fingerprint.title")
            for metric in features:
                value = assertions[metric]["value"]
                yield from lexicon.metric(metric)
                yield "code", "–" if value is None else value
            yield from self._word("legend")
        if self._evidence["attribution"]:
            yield from self._word("attribution")
        for cause in self._evidence["attribution"]:
            yield from lexicon.layer(cause["layer"])
            if cause["layer"] != cause["metric"]:
                yield from lexicon.metric(cause["metric"])
            yield from (("code", entry) for entry in cause["entries"])

    def _assertion(self, metric: str, assertion: dict[str, Any]) -> Iterator[Expected]:
        lexicon, value, unit = self._lexicon, assertion["value"], self._lexicon.unit(metric)
        yield from lexicon.metric(metric)
        # An absent record is a value here, because its reason stands beside it.
        yield from lexicon.verdict(assertion["outcome"], 0, metric)
        if value is not None:
            yield "code", value
            if unit != "ratio":
                yield from lexicon.named("common.unit", unit)
        if assertion["reason"] is not None:
            yield from lexicon.named("reasons", assertion["reason"])
        for key, item in assertion["detail"].items() if assertion["outcome"] != "value" else ():
            if key not in _LEFT_OUT and (item or key in _SHOWN_ZEROS):
                yield from lexicon.label("evidence.detail_names", key)
                yield from (("code", text) for text in _detail_texts(item))

    def _trace(self) -> Iterator[Expected]:
        trace = self._evidence["trace"]
        yield from self._word("trace")
        if trace is None:
            yield from self._word("trace_none")
        elif not trace:
            yield from self._word("trace_empty")
        turn = 0
        for step in trace or ():
            if step.get("kind") == "model":
                turn += 1
                yield from self._turn(turn, step)
            else:
                yield "code", step["tool"]
                yield from self._lexicon.named("evidence.status", step.get("status", "ok"))
                yield from self._milliseconds(step)
                for key in ("arguments", "summary", "error"):
                    if step.get(key) is not None:
                        yield from self._block(key, step[key])

    def _turn(self, turn: int, step: dict[str, Any]) -> Iterator[Expected]:
        for kind, text in self._word("turn"):
            yield "code", turn
            yield kind, text.replace("{turn}", str(turn))
        tokens = [str(step[key]) for key in ("prompt_tokens", "completion_tokens") if step.get(key) is not None]
        if tokens:
            yield "code", " + ".join(tokens)
            yield from self._word("tokens")
        yield from self._milliseconds(step)

    def _milliseconds(self, step: dict[str, Any]) -> Iterator[Expected]:
        if step.get("duration_ms") is not None:
            yield "code", step["duration_ms"]
            yield from self._word("ms")

    def _block(self, label: str, value: Any) -> Iterator[Expected]:
        yield from self._word(label)
        text = value["text"] if is_treated_text(value) else value
        if type(text) is str and len(text) > _LONG:
            yield "code", len(text)
            yield from self._word("characters")
        elif text is not None and type(text) is not str:
            yield FOLDED, self._word("characters")
        if text is not None:
            yield "pre", text
        if is_treated_text(value) and (value["truncated"] or text is None):
            yield from self._cut(value)

    def _cut(self, text: dict[str, Any]) -> Iterator[Expected]:
        if text["truncated"]:
            yield from self._word("truncated")
        yield from self._word("length")
        yield "code", text["length"]
        yield from self._word("characters")
        if text["sha256"]:
            yield "code", f"sha256:{text['sha256']}"

    def _answer(self) -> Iterator[Expected]:
        answer = self._evidence["answer"]
        yield from self._word("answer")
        if answer is None:
            yield from self._word("answer_none")
            return
        if isinstance(answer["text"], str):
            yield "pre", answer["text"]
            for key in _MARKED:
                if any(_has_place(assertion["detail"].get(key)) for assertion in self._evidence["assertions"].values()):
                    yield from self._word(key)
        yield from self._cut(answer)

    def _telemetry(self) -> Iterator[Expected]:
        yield from self._word("telemetry")
        found = list(leaves(self._evidence["telemetry"]))
        if not found:
            yield from self._word("telemetry_none")
        for path, value in found:
            name = path.rpartition(".")[2]
            yield from self._lexicon.named("evidence.field_names", path)
            yield "time" if name.endswith("_at") else "code", value
            meaning = f"boolean.{str(value).lower()}" if isinstance(value, bool) else f"{name}.{value}"
            is_coded = name in _CODED or isinstance(value, bool)
            if is_coded and self._lexicon.has(f"evidence.{meaning}"):
                yield from self._word(meaning)


def is_treated_text(value: Any) -> bool:
    """Whether a value is a text that was cut or hashed."""
    return isinstance(value, dict) and value.keys() == _TREATED


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Paths and values below a value that are no objects, null left out; an empty object is a value too, and so is what
    is left of a treated text."""
    if isinstance(value, dict) and value and not is_treated_text(value):
        for key, item in value.items():
            yield from leaves(item, f"{path}.{key}" if path else key)
    elif path and value is not None:
        yield path, _left_of(value) if is_treated_text(value) else value


def _left_of(treated: dict[str, Any]) -> Any:
    """What a page shows of a text that was cut or hashed."""
    if treated["text"] is not None:
        return treated["text"]
    return treated if treated["sha256"] is None else f"sha256:{treated['sha256']}"


def differing_paths(config: dict[str, Any]) -> list[str]:
    """Published paths at which something was requested and something else took effect, sorted."""
    return sorted(_differing(config.get("requested", {}), config.get("effective", {}), ""))


def fits(shown: str, value: Any) -> bool:
    """Whether a text on a page says a value of the evidence."""
    if isinstance(value, Prefixed):
        key = unmarked(f"{value.key}: ")
        return unmarked(shown).startswith(key) and fits(unmarked(shown).removeprefix(key), value.value)
    if type(value) is str:
        return unmarked(shown) == unmarked(value)
    if type(value) is int or (type(value) is WrittenNumber and shown == value):
        return shown == str(value)
    try:
        return bool(_exactly(parse(shown)) == _exactly(value))
    except ValueError:
        return False


def value_said(value: Any) -> str:
    """A value for a message."""
    return f"{value.key}: {value.value}" if isinstance(value, Prefixed) else str(value)


def _differing(requested: Any, effective: Any, path: str) -> Iterator[str]:
    if isinstance(requested, dict) and isinstance(effective, dict) and not is_treated_text(requested):
        for key, value in requested.items():
            yield from _differing(value, effective.get(key), f"{path}.{key}" if path else key)
    elif _exactly(requested) != _exactly(effective):
        yield path


def _exactly(value: Any) -> Any:
    """With numbers as exact values and texts without marks; a truth value is no number."""
    if isinstance(value, WrittenNumber):
        return Fraction(value)
    if isinstance(value, dict):
        return {unmarked(key): _exactly(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_exactly(item) for item in value]
    if isinstance(value, bool):
        return ("boolean", value)
    return unmarked(value) if isinstance(value, str) else value


def _detail_texts(value: Any) -> list[Any]:
    """A place in the answer by its text, an entry with its tool, anything else as it is."""
    if isinstance(value, dict):
        if "text" in value:
            return [value["text"] if isinstance(value["text"], str) else "…"]
        return [Prefixed(key, item) for key, item in value.items()]
    if isinstance(value, list):
        return [text for item in value for text in _detail_texts(item)]
    return [value]


def _has_place(places: Any) -> bool:
    """Whether a list of places in the answer marks any."""
    return isinstance(places, list) and any(
        isinstance(place, dict) and type(place.get("start")) is int and type(place.get("end")) is int
        for place in places
    )
