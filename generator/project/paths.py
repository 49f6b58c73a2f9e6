"""The whitelist, compiled: a template of the evidence whose leaves know where in a run they come from.

What no leaf names is never looked at; a new key of a harness cannot slip through.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from generator.errors import Finding, Place
from generator.model.base import Json
from generator.model.projection import ProjectedField, Projection
from generator.model.runs import Run

Treat = Callable[[ProjectedField, Json], Any]
NAMED = ("run_id", "case_id", "variant", "repeat_index", "sequence", "state", "config_hash", "mode")
"""What every evidence names itself by; the whitelist must let it through."""
ROOTS = (*NAMED, "reason", "source_run_id", "config", "telemetry", "trace", "answer")
DERIVED = ("turns",)
"""Paths that `Run` computes."""
_ABSENT = object()
_FILE = "projection.yaml"


@dataclass(slots=True)
class Node:
    """One place of the evidence. `keys` lead from the enclosing element of the run to what fills it."""

    kind: str  # object, list, star, leaf
    keys: tuple[str, ...] = ()
    children: "dict[str, Node]" = field(default_factory=dict)
    element: "Node | None" = None
    field: ProjectedField | None = None


@dataclass(slots=True)
class Walk:
    """One evaluation. `passed` counts the leaf fields of the run that were let through."""

    treat: Treat
    show_key: Callable[[str], str]
    passed: int = 0

    def fill(self, node: Node, base: Any) -> Any:
        """The evidence of `node`; `_ABSENT` where the run has nothing there."""
        if node.kind == "object":
            kept = {}
            for name, child in node.children.items():
                filled = self.fill(child, base)
                if filled is not _ABSENT:
                    kept[name] = filled
            return kept or _ABSENT
        value = base
        for key in node.keys:
            if not isinstance(value, dict) or key not in value:
                return _ABSENT
            value = value[key]
        if node.field is not None:
            return self._leaf(node.field, value)
        if node.kind == "list":
            return self._list(node, value)
        return self._star(node, value)

    def _leaf(self, projected: ProjectedField, value: Any) -> Any:
        if not _fits(projected.type, value):
            return _ABSENT
        self.passed += leaf_count(value)
        return self.treat(projected, value)

    def _list(self, node: Node, value: Any) -> Any:
        if value is None:
            return None
        if not isinstance(value, list) or node.element is None:
            return _ABSENT
        element = node.element
        filled = (self.fill(element, item) for item in value)
        if element.kind == "object":
            # Elements that show nothing keep their place, so that positions mean the same in run and evidence.
            return [{} if item is _ABSENT else item for item in filled]
        return [item for item in filled if item is not _ABSENT]

    def _star(self, node: Node, value: Any) -> Any:
        if not isinstance(value, dict) or node.element is None:
            return _ABSENT
        filled = {self.show_key(key): self.fill(node.element, item) for key, item in value.items()}
        return {key: item for key, item in filled.items() if item is not _ABSENT}


def is_absent(value: object) -> bool:
    return value is _ABSENT


def _fits(type_: str, value: Any) -> bool:
    if value is None or type_ == "json":
        return True
    if type_ == "text":
        return isinstance(value, str)
    if type_ == "boolean":
        return isinstance(value, bool)
    return isinstance(value, int | float) and not isinstance(value, bool)


def leaf_count(value: Any) -> int:
    """Scalars in `value`, null not counted. Without recursion: depth is the author's choice."""
    if value is None:
        return 0
    if not isinstance(value, dict | list):
        return 1
    count = 0
    pending = [value]
    while pending:
        container = pending.pop()
        for item in container.values() if isinstance(container, dict) else container:
            if isinstance(item, dict | list):
                pending.append(item)
            elif item is not None:
                count += 1
    return count


def compile_projection(projection: Projection) -> Node:
    """The template. Raises `ValueError` where `check_projection` has findings."""
    root = Node("object")
    for projected in projection.fields:
        _grow(root, projected)
    return root


def check_projection(projection: Projection) -> list[Finding]:
    """Fields given twice, paths that cannot be, and names that every evidence needs."""
    findings = []
    root = Node("object")
    known = {*Run.__struct_fields__, *DERIVED}
    for index, projected in enumerate(projection.fields):
        place = Place(_FILE, field=f"fields[{index}]")
        head = _steps(projected.path)[0]
        if head not in known:
            findings.append(
                Finding("RC160", "path of a run", place, "a field of a run", repr(head), "name a field that runs have")
            )
        if _steps(projected.field)[0] not in ROOTS:
            expected = "one of " + ", ".join(ROOTS)
            findings.append(
                Finding("RC161", "field of the evidence", place, expected, repr(projected.field), "name one of these")
            )
        try:
            _grow(root, projected)
        except ValueError as error:
            findings.append(
                Finding("RC162", "whitelist", place, "a place of its own", str(error), "give every field one path")
            )
    fields = {projected.field for projected in projection.fields}
    for name in NAMED:
        if name not in fields:
            place = Place(_FILE, field="fields")
            remedy = f"add {{field: {name}, path: {name}, …}}"
            findings.append(Finding("RC163", "names of a run", place, f"a field {name!r}", "none", remedy))
    return findings


def _steps(path: str) -> list[str]:
    """`a.b[].*.c` → a, b, [], *, c."""
    return [step for part in path.split(".") for step in _part_steps(part)]


def _part_steps(part: str) -> Iterator[str]:
    name = part.rstrip("[]")
    yield name
    yield from ["[]"] * ((len(part) - len(name)) // 2)


def _segments(path: str) -> tuple[list[tuple[str, ...]], list[str]]:
    """Keys between the markers, and the markers (`[]`, `*`)."""
    segments: list[tuple[str, ...]] = [()]
    markers = []
    for step in _steps(path):
        if step in ("[]", "*"):
            markers.append(step)
            segments.append(())
        else:
            segments[-1] = (*segments[-1], step)
    return segments, markers


def _grow(root: Node, projected: ProjectedField) -> None:
    out_segments, out_markers = _segments(projected.field)
    in_segments, in_markers = _segments(projected.path)
    if out_markers != in_markers:
        raise ValueError(f"{projected.field!r} and {projected.path!r} differ in [] or *")
    node = root
    for number, marker in enumerate(out_markers):
        kind = "list" if marker == "[]" else "star"
        node = _place(node, out_segments[number], Node(kind, in_segments[number]), projected)
        rest = out_segments[number + 1 :]
        if node.element is None and (any(rest) or len(rest) > 1):
            node.element = Node("object")
        if node.element is None:
            node.element = Node("leaf", (), field=projected)
            return
        node = node.element
    leaf = _place(node, out_segments[-1], Node("leaf", in_segments[-1], field=projected), projected)
    if leaf.field is not projected:
        raise ValueError(f"{projected.field!r} is given twice")


def _place(node: Node, keys: tuple[str, ...], new: Node, projected: ProjectedField) -> Node:
    """The node at `keys` below `node`: `new`, or the one that is there and takes from the same place."""
    for key in keys[:-1]:
        node = node.children.setdefault(key, Node("object"))
        if node.kind != "object":
            raise ValueError(f"{projected.field!r} goes through another field")
    if not keys or node.kind != "object":
        raise ValueError(f"{projected.field!r} has no name of its own")
    there = node.children.setdefault(keys[-1], new)
    if there.kind != new.kind or there.keys != new.keys:
        raise ValueError(f"{projected.field!r} has another source than its neighbours")
    return there
