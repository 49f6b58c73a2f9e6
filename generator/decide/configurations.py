"""Where the configurations of a variant in two batches differ, as far as that may be said."""

from collections.abc import Iterable

from generator.model.base import Json
from generator.model.canonical import canonical
from generator.model.json_leaves import ABSENT, Absent, Keys, is_below, keys_to, leaves
from generator.model.rows import ConfigSeen, name_in_findings


def differing_paths(
    variant: str, current: Iterable[ConfigSeen], baseline: Iterable[ConfigSeen], declared: Iterable[str]
) -> list[str]:
    """Names of the leaves at which the variant does not have the same values in both batches, `declared` paths and
    what is below them aside. A leaf whose name is withheld is named as findings may name it."""
    own = [config for config in current if config.variant == variant]
    base = [config for config in baseline if config.variant == variant]
    own_leaves, base_leaves = ([dict(leaves(config.effective)) for config in side] for side in (own, base))
    roots = [keys_to(path) for path in declared]
    differing = {
        keys
        for keys in {keys for held in (*own_leaves, *base_leaves) for keys in held}
        if not any(is_below(keys, root) for root in roots) and _values(own_leaves, keys) != _values(base_leaves, keys)
    }
    return list(dict.fromkeys(name_in_findings(keys, [*own, *base]) for keys in sorted(differing)))


def _values(sides: Iterable[dict[Keys, Json]], keys: Keys) -> set[bytes | None]:
    return {_form(held.get(keys, ABSENT)) for held in sides}


def _form(value: Json | Absent) -> bytes | None:
    """Equal for equal values. No JSON reads `absent`."""
    return b"absent" if isinstance(value, Absent) else canonical(value)
