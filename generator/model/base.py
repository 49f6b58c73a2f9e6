"""Bases of all records."""

from typing import TYPE_CHECKING, Any, Literal

import msgspec

Lang = Literal["zh", "en"]
LANGS: tuple[Lang, ...] = ("zh", "en")

# msgspec cannot check recursive types; JSON input holds nothing else anyway.
if TYPE_CHECKING:
    Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
else:
    Json = Any


class Definition(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A record written by a person: an unknown key is a typing error."""


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A record written by a program: unknown keys are allowed and go nowhere."""


class Text(Definition, frozen=True, kw_only=True):
    """A text in both languages."""

    zh: str
    en: str

    def in_language(self, lang: Lang) -> str:
        return self.zh if lang == "zh" else self.en
