"""What a verification found."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction

from generator.verify.agreement import Agreement

Finding = tuple[str, object, object]
"""What was looked at, what is published, what it should be."""

UNREADABLE = (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, ArithmeticError, RecursionError)
"""What reading a file raises that is not what it should be."""


@dataclass(frozen=True, order=True)
class Disagreement:
    """`place` is an address of the site, with the number, run or link in question; `published` and `recomputed` are the
    two values that should be one."""

    place: str
    what: str
    published: str
    recomputed: str

    def __str__(self) -> str:
        return f"{self.place}  {self.what}: published {self.published}, recomputed {self.recomputed}"


@dataclass
class VerifyResult:
    """`checked` counts what was compared, by kind. `limits` says what public evidence cannot show. `agreement` holds
    what several readers must have found alike."""

    checked: Counter[str] = field(default_factory=Counter)
    disagreements: list[Disagreement] = field(default_factory=list)
    limits: Counter[str] = field(default_factory=Counter)
    agreement: Agreement = field(default_factory=Agreement)

    @property
    def agrees(self) -> bool:
        return not self.disagreements

    def compare(self, kind: str, place: str, what: str, published: object, recomputed: object) -> None:
        """Count one comparison, and keep both values where they differ."""
        self.checked[kind] += 1
        if published != recomputed:
            self.differ(place, what, published, recomputed)

    def differ(self, place: str, what: str, published: object, recomputed: object) -> None:
        self.disagreements.append(Disagreement(place, what, _said(published), _said(recomputed)))

    @contextmanager
    def reading(self, place: str) -> Iterator[None]:
        """A damaged site may lack any file or field: say what could not be read, and go on with the rest."""
        try:
            yield
        except UNREADABLE as error:
            missing = f" {error}" if isinstance(error, KeyError) else ""
            self.differ(place, "readable", f"{type(error).__name__}{missing}", "what its schema says")

    def absorb(self, other: "VerifyResult") -> None:
        """What another process found."""
        self.checked += other.checked
        self.disagreements += other.disagreements
        self.limits += other.limits
        self.agreement.absorb(other.agreement)

    def settle(self) -> None:
        """Turn what readers did not find alike into disagreements; to be called once, in the end."""
        for group, count in self.agreement.counts().items():
            self.checked[f"agreements: {group}"] += count
        for conflict in self.agreement.conflicts():
            self.differ(conflict.place, conflict.group, conflict.text, conflict.expected)

    def as_text(self) -> str:
        lines = [str(disagreement) for disagreement in sorted(self.disagreements)]
        lines += [f"checked {count} {kind}" for kind, count in sorted(self.checked.items())]
        limits = sorted(self.limits.items())
        lines += [f"cannot be recomputed from public evidence: {count} {kind}" for kind, count in limits]
        lines.append("agrees" if self.agrees else f"{len(self.disagreements)} disagreements")
        return "\n".join(lines) + "\n"

    def as_json(self) -> str:
        data = {
            "agrees": self.agrees,
            "checked": dict(sorted(self.checked.items())),
            "limits": dict(sorted(self.limits.items())),
            "disagreements": [vars(disagreement) for disagreement in sorted(self.disagreements)],
        }
        return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _said(value: object) -> str:
    """Exact values as the decimals that a reader knows them by."""
    return repr(float(value)) if isinstance(value, Fraction) else str(value)
