"""What a change of one component of the agent, or of its input, does to the policy: how often each mistake is made.

A scale multiplies the rate of one kind of mistake (`mistakes.RATES`), `*` that of every kind.
"""

from collections.abc import Mapping

Scales = Mapping[str, float]

NONE: Scales = {}

PROMPT_EDITS: dict[str, Scales] = {
    "none": NONE,
    "synonym": {"omitted_sentence": 1.1},
    "reorder": {"call_without_asking": 2.0, "omitted_sentence": 1.5},
    "inject": {"*": 1.6, "invented_remark": 3.0},
    "drop": {"mental_arithmetic": 6.0, "slip_in_arithmetic": 2.0, "call_without_asking": 12.0, "repeated_call": 4.0},
}
"""`drop` takes away the instruction to rely on tools and to ask before writing."""

TOOL_ORDERS: dict[str, Scales] = {"catalogue": NONE, "reversed": {"wrong_tool": 1.6}}
TOOL_DESCRIPTIONS: dict[str, Scales] = {"faithful": NONE, "misleading": {"wrong_tool": 20.0, "invented_tool": 3.0}}
MODELS: dict[str, Scales] = {
    "zhice-sim-1": NONE,
    "zhice-sim-1b": {"mental_arithmetic": 1.6, "omitted_sentence": 0.6, "wrong_argument": 1.3},
    "zhice-sim-0": {"*": 8.0},
}
NOISE: dict[str, Scales] = {
    "none": NONE,
    "unrelated": {"stale_source": 4.0, "slipped_digit": 2.5, "wrong_argument": 1.5},
}

TRANSFORMATIONS: dict[str, Scales] = {
    "none": NONE,
    "documents-reversed": NONE,
    "tools-reversed": TOOL_ORDERS["reversed"],
    "noise": {"*": 1.4},
    "harder": {"*": 2.5},
    "backend-swapped": NONE,
    "brief": {"omitted_sentence": 1.5},
}
"""Of the input of a metamorphic follow-up. `documents-reversed` and `backend-swapped` change what tools give."""
SWAPPED_BACKEND = frozenset({"get_quote", "get_position"})
"""Tools that are taken away where their equivalents must do."""


def together(*parts: Scales) -> Scales:
    """The product, kind by kind."""
    found: dict[str, float] = {}
    for part in parts:
        for kind, scale in part.items():
            found[kind] = found.get(kind, 1.0) * scale
    return found
