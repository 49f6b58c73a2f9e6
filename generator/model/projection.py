"""The whitelist: which field of a run becomes which field of its evidence, and how its text is treated."""

from typing import Literal

from generator.model.base import Definition, Text


class ProjectedField(Definition, frozen=True, kw_only=True):
    """One path that may pass.

    `field` is where it goes in the evidence, `path` where it stands in the run; `[]` stands for every element of a
    list, `*` for every key of an object. Only scalars pass, except for `json`, where the whole value does.
    `keep` shows text up to `limit` characters; `summarise` shows the first `limit` characters of what may be any JSON
    value, as text, with its full length and hash; `hash` shows nothing but that something is there.
    """

    field: str
    path: str
    type: Literal["text", "number", "boolean", "json"]
    treatment: Literal["keep", "summarise", "hash"] = "keep"
    limit: int | None = None
    reason: Text | None = None


class Projection(Definition, frozen=True, kw_only=True):
    version: int
    fields: list[ProjectedField]
