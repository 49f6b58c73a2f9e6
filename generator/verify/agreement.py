"""What must be the same wherever it stands: the word for a state, the tools that a case expects.

A site is read page by page, in several processes, and no list of all words is published. So each reader notes which
text stands for which facts. In the end the same facts must have had the same text everywhere, and other facts another.
"""

from dataclasses import dataclass, field

Facts = tuple[object, ...]
Seen = tuple[int, str]
"""How often, and the first place."""


@dataclass(frozen=True, order=True)
class Conflict:
    """`text` stands at `place`, where `expected` stands more often."""

    place: str
    group: str
    text: str
    expected: str


@dataclass
class Agreement:
    """Notes by group, facts and text. `one_way` groups may have the same text for different facts."""

    notes: dict[str, dict[Facts, dict[str, Seen]]] = field(default_factory=dict)
    one_way: set[str] = field(default_factory=set)

    def note(self, group: str, facts: Facts, text: str, place: str, *, one_way: bool = False) -> None:
        """`facts` and `text` were found together at `place`."""
        if one_way:
            self.one_way.add(group)
        self._add(group, facts, text, (1, place))

    def absorb(self, other: "Agreement") -> None:
        """What another reader noted."""
        self.one_way |= other.one_way
        for group, by_facts in other.notes.items():
            for facts, texts in by_facts.items():
                for text, seen in texts.items():
                    self._add(group, facts, text, seen)

    def _add(self, group: str, facts: Facts, text: str, seen: Seen) -> None:
        texts = self.notes.setdefault(group, {}).setdefault(facts, {})
        count, place = texts.get(text, (0, seen[1]))
        texts[text] = (count + seen[0], min(place, seen[1]))

    def counts(self) -> dict[str, int]:
        """How often something was noted, by group."""
        return {
            group: sum(count for texts in by_facts.values() for count, _ in texts.values())
            for group, by_facts in self.notes.items()
        }

    def conflicts(self) -> list[Conflict]:
        """Every text that is rarer than another for the same facts, and every text that stands for several facts."""
        found: list[Conflict] = []
        for group, by_facts in self.notes.items():
            for texts in by_facts.values():
                usual = _most_frequent(texts)
                found += [Conflict(texts[text][1], group, text, usual) for text in texts if text != usual]
            if group not in self.one_way:
                found += _shared(group, by_facts)
        return sorted(found)


def _most_frequent(texts: dict[str, Seen]) -> str:
    return min(texts, key=lambda text: (-texts[text][0], text))


def _shared(group: str, by_facts: dict[Facts, dict[str, Seen]]) -> list[Conflict]:
    """Texts that stand for more than one thing; the rarer use is at fault."""
    uses: dict[str, list[tuple[Seen, Facts]]] = {}
    for facts, texts in by_facts.items():
        for text, seen in texts.items():
            uses.setdefault(text, []).append((seen, facts))
    found = []
    for text, several in uses.items():
        ranked = sorted(several, key=lambda use: (-use[0][0], str(use[1])))
        found += [
            Conflict(
                place,
                group,
                f"{text} for {_facts_text(facts)}",
                f"another text: it stands for {_facts_text(ranked[0][1])}",
            )
            for (_, place), facts in ranked[1:]
        ]
    return found


def _facts_text(facts: Facts) -> str:
    return ", ".join(map(str, facts))
