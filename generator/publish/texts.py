"""`api/v1/texts.json`: the words of the pages by key, in both languages.

With them a program can name a reason or a state as the pages do, and `verify.py` can tell a word of the interface from
one that somebody put there.
"""

from collections.abc import Mapping

from generator.model.base import Lang
from generator.publish.json_text import json_bytes

TEXTS = "api/v1/texts.json"


def texts_file(texts: Mapping[Lang, Mapping[str, str]]) -> bytes:
    """The bytes of the file; keys sorted. `{name}` in a text stands for what a page sets in."""
    return json_bytes({lang: dict(sorted(words.items())) for lang, words in texts.items()})
