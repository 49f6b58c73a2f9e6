"""What a promptfoo result was made with and of: its target (provider and prompt) and its case; the file's headlines."""

import datetime
import hashlib
import re
from collections import defaultdict
from dataclasses import dataclass

from generator.model.base import Json, Text
from generator.model.batches import DifferenceReason
from generator.model.canonical import canonical
from generator.read.importers.arguments import SAMPLING, withheld_note
from generator.read.importers.harness import Reported
from generator.read.importers.values import as_count, as_list, as_object, as_text, drop_absent

_PLAIN = re.compile(r"[\w.-]{1,40}")
_PLACE = re.compile(r"^(?:file|https?|exec|python|golang|ruby|webhook|ws|wss):")
_DIGITS = 8


@dataclass(frozen=True, slots=True)
class Target:
    """`prompt` is the template's name where it is one, else its hash alone: a template may be a system prompt."""

    model: str
    prompt: str
    prompt_sha256: str

    def effective(self, head: dict[str, Json]) -> dict[str, Json]:
        """The configuration; of the provider's own, sampling alone passes."""
        return {
            "target": drop_absent(
                model=self.model,
                prompt={"name": self.prompt, "sha256": self.prompt_sha256},
                sampling=SAMPLING.passed(_provider_config(head, self.model)) or None,
            )
        }


def target_of(row: dict[str, Json]) -> Target:
    """The provider by its label, else its id; a place in a file system or a network by its last part."""
    provider = row.get("provider")
    named = as_object(provider)
    label = as_text(named.get("label")) or as_text(named.get("id")) or as_text(provider) or "provider"
    template = as_text(as_object(row.get("prompt")).get("label")) or as_text(row.get("promptId")) or ""
    digest = hashlib.sha256(template.encode()).hexdigest()
    name = template if _PLAIN.fullmatch(template) else f"prompt-{digest[:_DIGITS]}"
    return Target(_plain(label), name, f"sha256:{digest}")


def _plain(label: str) -> str:
    if not _PLACE.match(label) and not label.startswith(("/", "~", ".")):
        return label
    return re.split(r"[?#]", label)[0].rstrip("/").rsplit("/", 1)[-1] or "provider"


def _provider_config(head: dict[str, Json], model: str) -> Json:
    for item in as_list(as_object(head.get("config")).get("providers")):
        provider = as_object(item)
        if model in (as_text(provider.get("label")), as_text(provider.get("id"))):
            return provider.get("config")
    return None


class Cases:
    """The tests of a file: equal description, variables and assertions are one case.

    The id is the description where no other test of the file has it, with a hash behind it where one has, else a hash.
    """

    def __init__(self, rows: list[dict[str, Json]]) -> None:
        by_description: dict[str, set[str]] = defaultdict(set)
        for row in rows:
            by_description[_description(row)].add(_key(row))
        self._shared = {description for description, keys in by_description.items() if len(keys) > 1}
        self.contents: dict[str, Json] = {self.id_of(row): _key(row) for row in rows}

    def id_of(self, row: dict[str, Json]) -> str:
        description, key = _description(row), _key(row)
        if not description:
            return f"vars-{key[:_DIGITS]}"
        return f"{description} {key[:_DIGITS]}" if description in self._shared else description


def _description(row: dict[str, Json]) -> str:
    return as_text(as_object(row.get("testCase")).get("description")) or as_text(row.get("description")) or ""


def _key(row: dict[str, Json]) -> str:
    test = as_object(row.get("testCase"))
    variables = row.get("vars") if row.get("vars") is not None else test.get("vars")
    content: Json = [_description(row), variables, test.get("assert")]
    return hashlib.sha256(canonical(content) or repr(content).encode()).hexdigest()


class Headlines:
    """What the head of a file says of each target: passed, failed and crashed tests."""

    def __init__(self, prompts: list[Json]) -> None:
        self._prompts = [as_object(prompt) for prompt in prompts]

    def of(self, target: Target, rows: list[dict[str, Json]]) -> list[Reported]:
        index = as_count(rows[0].get("promptIdx")) if rows else None
        if index is None or index >= len(self._prompts):
            return []
        counts = [as_count(as_object(self._prompts[index].get("metrics")).get(f"test{kind}Count")) for kind in _COUNTS]
        passed, failed, crashed = counts
        if passed is None or failed is None or crashed is None or passed + failed + crashed == 0:
            return []
        total = passed + failed + crashed
        reasons: list[DifferenceReason] = ["errors_counted"] if crashed else []
        if total != len(rows):
            reasons.append("other_runs")
        return [
            Reported(
                name="pass rate",
                value=passed / total,
                stated=f"{100 * passed / total:.2f}%",
                numerator=passed,
                denominator=total,
                reasons=reasons,
            )
        ]


_COUNTS = ("Pass", "Fail", "Error")


def headlines(head: dict[str, Json]) -> Headlines:
    return Headlines(as_list(as_object(head.get("results")).get("prompts")))


def timestamp(head: dict[str, Json]) -> datetime.date | None:
    """The day of the evaluation; JSON Lines do not say it."""
    stamp = as_text(as_object(head.get("results")).get("timestamp")) or ""
    try:
        return datetime.date.fromisoformat(stamp[:10])
    except ValueError:
        return None


def notes_of(file: str, rows: list[dict[str, Json]]) -> list[Text]:
    """What a reader has to know of the results of one target."""
    withheld = max((SAMPLING.withheld(as_object(row.get("provider")).get("config")) for row in rows), default=0)
    return withheld_note(file, withheld)
