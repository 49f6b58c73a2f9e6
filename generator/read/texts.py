"""Texts of the interface: `templates/texts/<lang>/*.yaml`, flattened."""

from pathlib import Path

from generator.errors import Finding, Refused
from generator.model.base import LANGS, Json, Lang
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
            texts.update(_flat(located.value, path.stem))
    if problems:
        raise Refused(problems)
    return texts


def _flat(value: Json, prefix: str) -> dict[str, str]:
    if isinstance(value, dict):
        return {key: text for name, item in value.items() for key, text in _flat(item, f"{prefix}.{name}").items()}
    if isinstance(value, str):
        return {prefix: value}
    raise TypeError(f"{prefix}: a text is expected")
