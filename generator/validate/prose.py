"""Prose of the definitions states no result: a result is a number with a page, and prose would hide it from all checks.

Values may stand where they are part of what was asked or configured: in names of variants and categories, titles of
cases, fixed conditions, and the metric table.
"""

from collections.abc import Iterator

from generator.errors import Finding, Place
from generator.model.base import Text
from generator.model.prose import figures
from generator.model.rules import finding, visible_id
from generator.model.source import Source
from generator.model.words import in_words

_Found = tuple[str, str, Text | None]
"""File, path, text."""


def check_prose(source: Source) -> Iterator[Finding]:
    """RC116."""
    remedy = (
        "say it without the figure: numbers have pages of their own; a name is written in one piece (gpt-4, v3.11), "
        "a date as 2026-11-30"
    )
    for file, path, text in _texts(source):
        for lang, words in () if text is None else (("zh", text.zh), ("en", text.en)):
            found = figures(words)
            if found:
                place = Place(file, field=f"{path}.{lang}")
                quoted = in_words(f"`{visible_id(figure)}`" for figure in found)
                yield finding("RC116", place, "prose without figures", quoted, remedy)


def _texts(source: Source) -> Iterator[_Found]:
    publication = source.publication
    yield "publication.yaml", "title", publication.title
    yield "publication.yaml", "summary", publication.summary
    yield "publication.yaml", "publisher", publication.publisher
    for place, note in enumerate(publication.restatements):
        yield "publication.yaml", f"restatements[{place}].reason", note.reason
    for place, change in enumerate(source.metrics.changes):
        yield "metrics.yaml", f"changes[{place}].reason", change.reason
    for place, experiment in enumerate(source.experiments.values()):
        path = f"experiments[{place}]"
        yield "experiments.yaml", f"{path}.title", experiment.title
        yield "experiments.yaml", f"{path}.purpose", experiment.purpose
        for number, accepted in enumerate(experiment.accepted_differences):
            yield "experiments.yaml", f"{path}.accepted_differences[{number}].reason", accepted.reason
    for item in source.batches:
        yield item.head_name, "title", item.batch.title
        for place, text in enumerate(item.batch.notes):
            yield item.head_name, f"notes[{place}]", text
        for place, waiver in enumerate(item.batch.waivers):
            yield item.head_name, f"waivers[{place}].reason", waiver.reason
