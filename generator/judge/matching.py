"""Maximum matching of entries with calls: each call serves one entry at most."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Matching:
    """Entries and calls by index, in order.

    `missing`: entries without a call, where entries listed earlier are served first. `interchangeable`: entries that
    have a call, but could be missing in place of one of those. `used`: calls that serve an entry, where earlier calls
    are used first. One matching of maximum size has exactly these (Mendelsohn & Dulmage, 1958).
    """

    missing: tuple[int, ...]
    interchangeable: tuple[int, ...]
    used: tuple[int, ...]


def match(candidates: Sequence[Sequence[int]], calls: int) -> Matching:
    """The maximum matching of entries with the calls that fit them.

    Parameters
    ----------
    candidates : for each entry, the indices of the calls that fit it.
    calls : int
        Number of calls; indices are below it.
    """
    if all(len(fitting) == 1 for fitting in candidates) and len({fit[0] for fit in candidates}) == len(candidates):
        return Matching((), (), tuple(sorted(fit[0] for fit in candidates)))
    call_of = _serve(candidates)
    fitting_entries: list[list[int]] = [[] for _ in range(calls)]
    for entry, fitting in enumerate(candidates):
        for call in fitting:
            fitting_entries[call].append(entry)
    entry_of = _serve(fitting_entries)
    missing = tuple(entry for entry in range(len(candidates)) if entry not in call_of)
    return Matching(missing, _interchangeable(candidates, call_of, missing), tuple(sorted(entry_of)))


def _serve(choices: Sequence[Sequence[int]]) -> dict[int, int]:
    """Augmenting paths, one served at a time in order: who was served once stays served (Kuhn, 1955)."""
    partner: dict[int, int] = {}
    owner: dict[int, int] = {}
    for first in range(len(choices)):
        _augment(first, choices, partner, owner)
    return partner


def _augment(first: int, choices: Sequence[Sequence[int]], partner: dict[int, int], owner: dict[int, int]) -> None:
    """Breadth first, so that a long chain cannot exhaust the stack."""
    came_from: dict[int, int] = {}
    waiting = [first]
    for taker in waiting:
        for choice in choices[taker]:
            if choice in came_from:
                continue
            came_from[choice] = taker
            if choice in owner:
                waiting.append(owner[choice])
                continue
            free: int | None = choice
            while free is not None:
                new = came_from[free]
                owner[free], partner[new], free = new, free, partner.get(new)
            return


def _interchangeable(
    candidates: Sequence[Sequence[int]], call_of: dict[int, int], missing: tuple[int, ...]
) -> tuple[int, ...]:
    """Served entries that an alternating path from a missing one reaches: they could give their call away."""
    entry_at = {call: entry for entry, call in call_of.items()}
    waiting = list(missing)
    reached = set(missing)
    for entry in waiting:
        for call in candidates[entry]:
            other = entry_at[call]
            if other not in reached:
                reached.add(other)
                waiting.append(other)
    return tuple(sorted(reached.difference(missing)))
