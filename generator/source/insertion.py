"""Adds an item to a list of a YAML file and leaves every other byte as people wrote it.

ruamel keeps comments but folds and unfolds long texts: a file is written back whole only where there is no other way.
"""

import re

from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import YAMLError

from generator.model.base import Json
from generator.source.yaml_file import YamlFile, dump, parse, plain

_EMPTY = re.compile(r"(\s*)(\[\s*\]|null|~)?(\s*#.*)?")


def with_item(file: YamlFile, key: str, item: CommentedMap) -> str:
    """The text of `file` with `item` at the end of the list under the root key `key`."""
    wanted = plain(file.content)
    assert isinstance(wanted, dict)
    wanted[key] = [*_list(wanted.get(key)), plain(item)]
    inserted = _inserted(file, key, item)
    if inserted is not None and _says(inserted, wanted):
        return inserted
    return _written_whole(file, key, item)


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _says(text: str, wanted: Json) -> bool:
    try:
        return plain(parse(text)) == wanted
    except YAMLError:
        return False


def _inserted(file: YamlFile, key: str, item: CommentedMap) -> str | None:
    """None where the list is not in block style at the root of the file."""
    lines = file.text.rstrip("\n").split("\n")
    content = file.content
    if key not in content or content.fa.flow_style():
        return None
    start = content.lc.key(key)[0]
    items = content[key]
    dash = 2
    if items:
        if items.fa.flow_style():
            return None
        dash = len(lines[items.lc.item(0)[0]]) - len(lines[items.lc.item(0)[0]].lstrip())
    else:
        head, _, rest = lines[start].partition(":")
        match = _EMPTY.fullmatch(rest)
        if match is None:
            return None
        lines[start] = f"{head}:{match[3] or ''}"
    end = _end(lines, start, [line for line, _ in (content.lc.key(other) for other in content)])
    return "\n".join([*lines[:end], *_item_lines(key, item, dash), *lines[end:]]) + "\n"


def _end(lines: list[str], start: int, key_lines: list[int]) -> int:
    """The line after the last one of the list: blank lines and comments at the margin belong to what follows."""
    end = min((line for line in key_lines if line > start), default=len(lines))
    while end > start + 1 and (not lines[end - 1].strip() or lines[end - 1].startswith("#")):
        end -= 1
    return end


def _item_lines(key: str, item: CommentedMap, dash: int) -> list[str]:
    """The lines of the item with its dash in column `dash`."""
    sequence = CommentedSeq([item])
    lines = dump(CommentedMap({key: sequence})).rstrip("\n").split("\n")[1:]
    return [" " * dash + line[2:] if line.startswith("  ") else line for line in lines]


def _written_whole(file: YamlFile, key: str, item: CommentedMap) -> str:
    items = file.content.get(key)
    if not items:
        items = CommentedSeq()
        file.content[key] = items
    items.fa.set_block_style()
    items.append(item)
    return dump(file.content)
