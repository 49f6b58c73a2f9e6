"""A text as it is shown: redacted, made visible, and with the way back to the places of the raw text."""

from bisect import bisect_right
from dataclasses import dataclass

from generator.model.visible import Edit, unseen_edits
from generator.project.redact import Placeholders


@dataclass(frozen=True, slots=True)
class Shown:
    """`text` after `edits`. Offsets count code points, in the raw and in the shown text."""

    text: str
    edits: tuple[Edit, ...] = ()

    def start(self, raw: int) -> int:
        """Where a span that begins at `raw` begins; at its beginning for what was replaced."""
        return self._place(raw, end=False)

    def end(self, raw: int) -> int:
        """Where a span that ends before `raw` ends; behind its end for what was replaced."""
        return self._place(raw, end=True)

    def _place(self, raw: int, *, end: bool) -> int:
        moved = 0
        for edit_start, edit_end, instead in self.edits:
            if raw < edit_start or (end and raw == edit_start):
                break
            if raw < edit_end:
                return edit_start + moved + (len(instead) if end else 0)
            moved += len(instead) - (edit_end - edit_start)
        return raw + moved


def show(text: str, placeholders: Placeholders, *, count: bool = True) -> Shown:
    """Redact, then mark what cannot be seen in the rest."""
    if placeholders.clean or placeholders.redactor.is_unchanged(text):
        return Shown(text)
    secrets = placeholders.edits(text, count=count)
    unseen = unseen_edits(text)
    if not secrets and not unseen:
        placeholders.redactor.note_unchanged(text)
        return Shown(text)
    starts = [start for start, _, _ in secrets]
    for edit in unseen:
        before = bisect_right(starts, edit[0]) - 1
        if before < 0 or secrets[before][1] <= edit[0]:
            secrets.append(edit)
    return apply_edits(text, sorted(secrets))


def apply_edits(text: str, edits: list[Edit]) -> Shown:
    """`edits` in order, none overlapping."""
    pieces = []
    place = 0
    for start, end, instead in edits:
        pieces += [text[place:start], instead]
        place = end
    return Shown("".join([*pieces, text[place:]]), tuple(edits))
