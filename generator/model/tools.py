"""Tool catalogues, mock returns, policies, redaction patterns."""

from typing import Literal

from generator.model.base import Definition, Json, Text


class Tool(Definition, frozen=True, kw_only=True):
    """`parameters` gives the JSON Schema of each argument by name: its boundaries are what coverage counts."""

    name: str
    description: Text
    effect: Literal["read", "write"] = "read"
    restricted: bool = False
    parameters: dict[str, dict[str, Json]] = {}


class Catalog(Definition, frozen=True, kw_only=True):
    """`catalogs/<id>.yaml`. `presets` are versioned sets of excluded tools. Where it is
    `public`, pages name the tools and boundaries that no run reached; else they say how many there are."""

    id: str
    version: int
    tools: list[Tool]
    presets: dict[str, list[str]] = {}
    public: bool = False


class MockReturn(Definition, frozen=True, kw_only=True):
    """What `tool` answers to arguments that contain `args` (the first match in the file wins)."""

    tool: str
    args: dict[str, Json] = {}
    status: Literal["ok", "error", "denied"] = "ok"
    result: Json = None
    error: str | None = None
    duration_ms: int = 40


class FixtureSet(Definition, frozen=True, kw_only=True):
    """`fixtures/<id>.yaml`: versioned mock returns, and the data snapshot that an answer may cite."""

    id: str
    version: int
    snapshot: dict[str, Json] = {}
    returns: list[MockReturn] = []


class Policy(Definition, frozen=True, kw_only=True):
    """`policies/<id>.yaml`: which clauses of an answer violate a rule of content."""

    id: str
    version: int
    metric: str
    title: Text
    clause_split: str
    patterns: list[str]
    negators: list[str]


class RedactionPattern(Definition, frozen=True, kw_only=True):
    """A pattern that must not be shown. `check` names a checksum that a match must also pass.

    A group named `value` narrows what is replaced. `hints` and `min_digits` save time: a text that holds none of the
    hints, or fewer digits, is not searched.
    """

    id: str
    name: Text
    pattern: str
    check: Literal["luhn", "cn_identity"] | None = None
    hints: list[str] = []
    min_digits: int = 0


class Redaction(Definition, frozen=True, kw_only=True):
    """`redaction.yaml`."""

    version: int
    patterns: list[RedactionPattern]
