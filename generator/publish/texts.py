"""`api/v1/texts.json`: the words of the pages by key, in both languages.

With them a program can name a reason or a state as the pages do, and `verify.py` can tell a word of the interface from
one that somebody put there.
"""

import json
from collections.abc import Mapping

from generator.model.base import Lang
from generator.publish.json_text import json_bytes

TEXTS = "api/v1/texts.json"
RECOMPUTE_WORDS = "assets/recompute-words.js"
_ALSO = ("common.colon",)


def texts_file(texts: Mapping[Lang, Mapping[str, str]]) -> bytes:
    """The bytes of the file; keys sorted. `{name}` in a text stands for what a page sets in."""
    return json_bytes({lang: dict(sorted(words.items())) for lang, words in texts.items()})


def recompute_words(texts: Mapping[Lang, Mapping[str, str]]) -> bytes:
    """The words of the button that recomputes a number, as a script: a page in a folder cannot read `TEXTS`."""
    words = {
        lang: {key: text for key, text in sorted(of_lang.items()) if key.startswith("recompute.") or key in _ALSO}
        for lang, of_lang in texts.items()
    }
    return f"runcite.words = {json.dumps(words, ensure_ascii=False, indent=1)};\n".encode()
