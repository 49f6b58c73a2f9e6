"""Texts of the interface: `templates/texts/<lang>/*.yaml`, flattened."""

from collections.abc import Iterator
from pathlib import Path

from generator.errors import Finding, Refused
from generator.model.base import LANGS, Json, Lang
from generator.model.rules import finding
from generator.model.words import kind_of
from generator.read.yaml_file import load_yaml
from generator.resources import resource


def read_texts() -> dict[Lang, dict[str, str]]:
    """All texts of each language: the key `title` below `accounting` in `result.yaml` is `result.accounting.title`.

    Raises
    ------
    Refused
        A file of texts is broken, or holds something else than texts.
    """
    return {lang: _read_language(resource("templates") / "texts" / lang) for lang in LANGS}


def _read_language(folder: Path) -> dict[str, str]:
    texts: dict[str, str] = {}
    problems: list[Finding] = []
    for path in sorted(folder.glob("*.yaml")):
        located, findings = load_yaml(f"{folder.name}/{path.name}", path.read_bytes())
        problems += findings
        if located is not None:
            for key, value in _flat(located.value, (path.stem,)):
                if isinstance(value, str):
                    texts[".".join(key)] = value
                else:
                    place = located.place(key[1:])
                    problems.append(finding("RC008", place, "a text", kind_of(value), "write it in quotes"))
    if problems:
        raise Refused(problems)
    return texts


def _flat(value: Json, key: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Json]]:
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _flat(item, (*key, name))
    else:
        yield key, value
