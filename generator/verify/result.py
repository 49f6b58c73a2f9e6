"""What a verification found."""

import json
from collections import Counter
from dataclasses import dataclass, field


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
    """`checked` counts what was compared, by kind. `limits` says what public evidence cannot show."""

    checked: Counter[str] = field(default_factory=Counter)
    disagreements: list[Disagreement] = field(default_factory=list)
    limits: Counter[str] = field(default_factory=Counter)

    @property
    def agrees(self) -> bool:
        return not self.disagreements

    def compare(self, kind: str, place: str, what: str, published: object, recomputed: object) -> None:
        """Count one comparison, and keep both values where they differ."""
        self.checked[kind] += 1
        if published != recomputed:
            self.differ(place, what, published, recomputed)

    def differ(self, place: str, what: str, published: object, recomputed: object) -> None:
        self.disagreements.append(Disagreement(place, what, str(published), str(recomputed)))

    def as_text(self) -> str:
        lines = [str(disagreement) for disagreement in sorted(self.disagreements)]
        lines += [f"checked {count} {kind}" for kind, count in sorted(self.checked.items())]
        lines += [f"cannot be recomputed from public evidence: {count} {kind}" for kind, count in self.limits.items()]
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
