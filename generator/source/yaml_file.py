"""YAML files of a source: read, written, and turned into JSON values."""

import datetime
import io
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.representer import RoundTripRepresenter
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from generator.errors import Finding, Place
from generator.model.base import Json
from generator.model.rules import finding

CHECK = "run runcite check for all that is wrong"
_FLOW_WIDTH = 100
_TAME = re.compile(r"[^\W\d_]([\w ./()：，；。、-]*[\w.：，；。、)])?")


class _Representer(RoundTripRepresenter):
    """Writes null as a word: an empty value looks forgotten."""


_Representer.add_representer(
    type(None), lambda representer, _: representer.represent_scalar("tag:yaml.org,2002:null", "null")
)


@dataclass(frozen=True, slots=True)
class YamlFile:
    """A file that holds an object. `name` is relative to the source."""

    name: str
    text: str
    content: CommentedMap

    def items(self, key: str) -> list[Any]:
        """The list under `key`; empty where there is none."""
        return self.content.get(key) or []


def load(root: Path, name: str) -> YamlFile | Finding:
    """Read `name` (relative to `root`)."""
    try:
        text = (root / name).read_text(encoding="utf-8")
        content = parse(text)
    except FileNotFoundError:
        return finding("RC001", Place(name), "the file", "nothing", "name a source, or make one: runcite init DIR")
    except UnicodeDecodeError:
        return finding("RC002", Place(name), "UTF-8", "a byte that is not UTF-8", "save the file as UTF-8")
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark is not None else None
        return finding("RC003", Place(name, line), "YAML", "something else", CHECK)
    except YAMLError:
        return finding("RC003", Place(name), "YAML", "something else", CHECK)
    if not isinstance(content, CommentedMap):
        return finding("RC008", Place(name), "an object", "something else", CHECK)
    return YamlFile(name, text, content)


def parse(text: str) -> Any:
    return _yaml().load(text)


def dump(content: CommentedMap) -> str:
    stream = io.StringIO()
    _yaml().dump(content, stream)
    return stream.getvalue()


def replace_file(path: Path, content: bytes) -> None:
    """Write `path` so that it holds either what it held or all of `content`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.partial")
    partial.write_bytes(content)
    partial.replace(path)


def commented(value: Json) -> Any:
    """`value` for ruamel: a few scalars on one line, everything else in block style, texts quoted unless they are tame.

    Parsers of YAML disagree on plain texts with signs in them.
    """
    if isinstance(value, str):
        return value if _TAME.fullmatch(value) else DoubleQuotedScalarString(value)
    if isinstance(value, dict):
        mapping = CommentedMap((commented(key), commented(item)) for key, item in value.items())
        if _fits([*value, *value.values()]):
            mapping.fa.set_flow_style()
        return mapping
    if isinstance(value, list):
        sequence = CommentedSeq(commented(item) for item in value)
        if _fits(value):
            sequence.fa.set_flow_style()
        return sequence
    return value


def plain(value: Any) -> Json:
    """What ruamel read, as JSON values; dates as ISO text."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, datetime.date):
        return value.isoformat()
    for type_ in (bool, int, float, str):
        if isinstance(value, type_):
            return type_(value)
    return None


def _yaml() -> YAML:
    yaml = YAML()
    yaml.Representer = _Representer
    yaml.preserve_quotes = True
    yaml.width = 1_000_000
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def _fits(parts: list[Json]) -> bool:
    """Whether the keys and values of a collection are scalars and short enough for one line."""
    if any(isinstance(part, dict | list) for part in parts):
        return False
    return sum(len(str(part)) + 3 for part in parts) <= _FLOW_WIDTH
