"""The whitelist, compiled: a template of the evidence whose leaves know where in a run they come from.

What no leaf names is never looked at; a new key of a harness cannot slip through.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from generator.errors import Finding, Place
from generator.model.projection import ProjectedField, Projection
from generator.model.rules import finding

NAMED = ("run_id", "case_id", "variant", "repeat_index", "sequence", "state", "config_hash", "mode")
"""What every evidence names itself by; the whitelist must let it through."""
_WITH_TEXT = ("text", "json")
_CONTAINERS = (dict, list)
_ABSENT = object()
_FILE = "projection.yaml"


@dataclass(slots=True)
class Node:
    """One place of the evidence. `keys` lead from the enclosing element of the run to what fills it.

    `first` is the first of `keys`: where the run does not have it, nothing else need be looked at.
    """

    kind: Literal["object", "list", "star", "leaf"]
    keys: tuple[str, ...] = ()
    children: "dict[str, Node]" = field(default_factory=dict)
    element: "Node | None" = None
    projected: ProjectedField | None = None
    first: str | None = None


class Leaf(NamedTuple):
    """A value that passes: where it stands in the evidence, and what the whitelist says of it."""

    container: Any
    key: Any
    projected: ProjectedField
    value: Any


@dataclass(slots=True)
class Walk:
    """One evaluation of the template. Leaves stand in the result as they are; those with text are listed for treatment.

    `passed` counts the leaf fields of the run that were let through.
    """

    show_key: Callable[[str], str]
    leaves: list[Leaf] = field(default_factory=list)
    passed: int = 0

    def object(self, node: Node, base: Any) -> dict[str, Any]:
        """What `node` lets through of `base`; empty where the run has nothing there."""
        filled: dict[str, Any] = {}
        if type(base) is not dict:
            return filled
        for name, child in node.children.items():
            if child.first is not None and child.first not in base:
                continue
            value = _follow(base, child.keys)
            if value is _ABSENT:
                continue
            if child.projected is not None:
                self._leaf(filled, name, child.projected, value)
            elif child.kind != "object":
                self._fill(filled, name, child, value)
            elif inner := self.object(child, value):
                filled[name] = inner
        return filled

    def _fill(self, container: Any, name: Any, node: Node, value: Any) -> None:
        if node.projected is not None:
            self._leaf(container, name, node.projected, value)
        elif node.element is not None and node.kind == "list" and isinstance(value, list):
            container[name] = self._list(node.element, value)
        elif node.element is not None and node.kind == "star" and isinstance(value, dict):
            container[name] = self._star(node.element, value)
        elif value is None:
            container[name] = None

    def _leaf(self, container: Any, name: Any, projected: ProjectedField, value: Any) -> None:
        if value is None:
            container[name] = None
        elif _fits(projected.type, value):
            self.passed += leaf_count(value) if projected.type == "json" else 1
            container[name] = value
            if projected.field not in NAMED and (projected.type in _WITH_TEXT or projected.treatment != "keep"):
                self.leaves.append(Leaf(container, name, projected, value))

    def _list(self, element: Node, value: list[Any]) -> list[Any]:
        """Elements that show nothing keep their place as {}, so that positions mean the same in run and evidence."""
        if element.kind == "object":
            return [self.object(element, item) for item in value]
        items: list[Any] = []
        for item in value:
            if element.projected is not None and (item is None or _fits(element.projected.type, item)):
                items.append(None)
                self._leaf(items, len(items) - 1, element.projected, item)
        return items

    def _star(self, element: Node, value: dict[str, Any]) -> dict[str, Any]:
        filled: dict[str, Any] = {}
        for key, item in value.items():
            shown = self.show_key(key)
            if element.kind != "object":
                self._fill(filled, shown, element, item)
            elif inner := self.object(element, item):
                filled[shown] = inner
        return filled


def _follow(base: Any, keys: tuple[str, ...]) -> Any:
    for key in keys:
        if type(base) is not dict:
            return _ABSENT
        base = base.get(key, _ABSENT)
    return base


def _fits(type_: str, value: Any) -> bool:
    if type_ == "text":
        return type(value) is str
    if type_ == "number":
        return type(value) is int or type(value) is float
    return type_ == "json" or type(value) is bool


def leaf_count(value: Any) -> int:
    """Scalars in a JSON value, null not counted. Without recursion, because its depth is the author's choice."""
    if type(value) is not dict and type(value) is not list:
        return 0 if value is None else 1
    pending = [value]
    count = 0
    for container in pending:
        items = container.values() if type(container) is dict else container
        inner = [item for item in items if type(item) in _CONTAINERS]
        count += len(items) - len(inner) - list(items).count(None)
        pending += inner
    return count


def compile_projection(projection: Projection) -> Node:
    """The template. Raises `ValueError` where `check_projection` has findings."""
    root = Node("object")
    for projected in projection.fields:
        grow(root, projected)
    narrow(root)
    return root


def narrow(node: Node) -> None:
    """Let objects below `node` whose parts all come from one object of the run look there, once for all of them."""
    if node.element is not None:
        narrow(node.element)
    for child in node.children.values():
        narrow(child)
        heads = {part.keys[:1] for part in child.children.values()}
        if child.kind == "object" and len(heads) == 1:
            (child.keys,) = heads
            for part in child.children.values():
                part.keys = part.keys[1:]
                part.first = part.keys[0] if part.keys else None
        child.first = child.keys[0] if child.keys else None


def check_projection(projection: Projection) -> list[Finding]:
    """Every reason why `compile_projection` would refuse a whitelist."""
    findings = []
    root = Node("object")
    for index, projected in enumerate(projection.fields):
        try:
            grow(root, projected)
        except ValueError as error:
            remedy = "give every field of the evidence one path of the run"
            place = Place(_FILE, field=f"fields[{index}]")
            findings.append(finding("RC133", place, "a place of its own", str(error), remedy))
    given = {projected.field for projected in projection.fields}
    for name in NAMED:
        if name not in given:
            remedy = "the addresses of the site are made of it: let it through"
            findings.append(finding("RC133", Place(_FILE, field="fields"), f"a field {name!r}", "none", remedy))
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


def grow(root: Node, projected: ProjectedField) -> None:
    """Add a field to a template. Raises `ValueError` where it does not fit beside its neighbours."""
    out_segments, out_markers = _segments(projected.field)
    in_segments, in_markers = _segments(projected.path)
    if out_markers != in_markers:
        raise ValueError(f"{projected.field!r} and {projected.path!r} differ in [] or *")
    node = root
    for number, marker in enumerate(out_markers):
        container = Node("list" if marker == "[]" else "star", in_segments[number])
        node = _place(node, out_segments[number], container, projected)
        rest = out_segments[number + 1 :]
        if node.element is None and (any(rest) or len(rest) > 1):
            node.element = Node("object")
        if node.element is None:
            node.element = Node("leaf", (), projected=projected)
            return
        node = node.element
    leaf = _place(node, out_segments[-1], Node("leaf", in_segments[-1], projected=projected), projected)
    if leaf.projected is not projected:
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
