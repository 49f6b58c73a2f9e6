"""The mark `runcite` of a test: what it may say, and which case the test is."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

import pytest

MARK = "runcite"
REPEAT = "runcite_repeat"
"""The parameter that numbers the repeats of a marked test."""
VARIANT = "variant"
"""A parameter of this name is the variant, and no part of the case."""
DEFAULT_RUNS = 10
_LEVELS = {"threshold": "theta", "alpha": "alpha", "beta": "beta", "delta": "delta"}
_KNOWN = ("runs", *_LEVELS, "case", "category", "title", "variant", "failures")


@dataclass(frozen=True, slots=True)
class Mark:
    """`levels` are θ, α, β, δ as far as the mark gives them. `failures` are exceptions of the agent: a run that ends
    with one did not pass, where any other exception says nothing of the agent."""

    runs: int
    levels: Mapping[str, float]
    case: str | None
    category: str | None
    title: str | None
    variant: str | None
    failures: tuple[type[BaseException], ...]


def read_mark(marker: pytest.Mark) -> Mark:
    """Raises `pytest.UsageError` for what a mark cannot say."""
    given = dict(marker.kwargs)
    unknown = sorted(set(given) - set(_KNOWN))
    if unknown or marker.args:
        found = ", ".join(unknown) or "a value without a name"
        raise pytest.UsageError(f"@pytest.mark.runcite: expected {', '.join(_KNOWN)}, found {found}")
    runs = given.get("runs", DEFAULT_RUNS)
    if isinstance(runs, bool) or not isinstance(runs, int) or runs < 1:
        raise pytest.UsageError(f"@pytest.mark.runcite: runs: expected a whole number from 1, found {runs!r}")
    levels = {target: _share(name, given[name]) for name, target in _LEVELS.items() if name in given}
    for name in ("case", "category", "title", "variant"):
        if name in given and not (isinstance(given[name], str) and given[name].strip()):
            raise pytest.UsageError(f"@pytest.mark.runcite: {name}: expected a text, found {given[name]!r}")
    failures = given.get("failures", ())
    return Mark(
        runs=runs,
        levels=levels,
        case=given.get("case"),
        category=given.get("category"),
        title=given.get("title"),
        variant=given.get("variant"),
        failures=failures if isinstance(failures, tuple) else (failures,),
    )


def _share(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
        raise pytest.UsageError(f"@pytest.mark.runcite: {name}: expected a number between 0 and 1, found {value!r}")
    return float(value)


def case_of(item: pytest.Item, mark: Mark) -> str:
    """`<module>::<test>[<parameters>]`, or the mark's own name, without the repeat and the variant."""
    own = _parameters(item)
    suffix = f"[{'-'.join(own)}]" if own else ""
    if mark.case is not None:
        return mark.case + suffix
    file, _, inner = item.nodeid.partition("::")
    name = inner.partition("[")[0] or item.name
    return f"{PurePosixPath(file).stem}::{name}{suffix}"


def variant_of(item: pytest.Item, mark: Mark, usual: str) -> str:
    """The parameter `variant`, else that of the mark, else the session's."""
    value = _params(item).get(VARIANT)
    return str(value) if value is not None else mark.variant or usual


def category_of(item: pytest.Item, mark: Mark) -> str:
    """That of the mark, else the module."""
    return mark.category or PurePosixPath(item.nodeid.partition("::")[0]).stem


def repeat_of(item: pytest.Item) -> int:
    """From 0."""
    value = _params(item).get(REPEAT, 0)
    return value if isinstance(value, int) else 0


def _params(item: pytest.Item) -> Mapping[str, object]:
    callspec = getattr(item, "callspec", None)
    return {} if callspec is None else callspec.params


def _parameters(item: pytest.Item) -> list[str]:
    """pytest's own names of the parameters, but for those of the repeat and the variant."""
    callspec = getattr(item, "callspec", None)
    if callspec is None:
        return []
    names = [str(name) for name in getattr(callspec, "_idlist", ()) or [callspec.id]]
    for other in (f"run{callspec.params.get(REPEAT)}", str(callspec.params.get(VARIANT))):
        if other in names:
            names.remove(other)
    return names
