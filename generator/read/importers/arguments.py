"""Launch arguments: they have carried keys of services, so only named ones pass, and only in a harmless form."""

import re
from dataclasses import dataclass

from generator.model.base import Json, Text
from generator.read.importers.values import as_number, as_object

_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,15}")
SAMPLING_NUMBERS = (
    "temperature",
    "top_p",
    "top_k",
    "max_tokens",
    "max_completion_tokens",
    "seed",
    "frequency_penalty",
    "presence_penalty",
)
REASONING_EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh")


@dataclass(frozen=True, slots=True)
class Allowed:
    """Keys whose values may pass: numbers, flags, words out of a list, and short plain words (a key of a service is
    longer)."""

    numbers: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    choices: dict[str, tuple[str, ...]] | None = None
    words: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        return (*self.numbers, *self.flags, *(self.choices or {}), *self.words)

    def passed(self, given: Json) -> dict[str, Json]:
        """What passes of the arguments, in the order of the keys."""
        arguments = {key: value for key, value in as_object(given).items() if value is not None}
        return {key: arguments[key] for key in self.keys if key in arguments and self._is_harmless(key, arguments[key])}

    def _is_harmless(self, key: str, value: Json) -> bool:
        if key in self.numbers:
            return as_number(value) is not None
        if key in self.flags:
            return isinstance(value, bool)
        if key in self.words:
            return _is_word(value)
        return value in (self.choices or {}).get(key, ())

    def withheld(self, given: Json) -> int:
        """How many arguments do not pass. One that is null says nothing."""
        return sum(value is not None for value in as_object(given).values()) - len(self.passed(given))


SAMPLING = Allowed(numbers=SAMPLING_NUMBERS, choices={"reasoning_effort": REASONING_EFFORTS})


def _is_word(value: Json) -> bool:
    if isinstance(value, bool) or as_number(value) is not None:
        return True
    return isinstance(value, str) and _WORD.fullmatch(value) is not None


def withheld_note(file: str, count: int) -> list[Text]:
    """A note on the batch where some arguments did not pass; `count` of them."""
    if count == 0:
        return []
    return [
        Text(
            zh=f"{file}：有些启动参数没有导入（其中可能有密钥），因此不参与变体比较的检查。",
            en=f"{file}: some launch arguments were not imported (they may hold keys), so the check of what differs "
            "between variants does not see them.",
        )
    ]
