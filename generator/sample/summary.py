"""An extractive summary: the sentences that say most of what the whole says, in their order."""

import re
from collections import Counter

from generator.sample.tokens import count_tokens

_SENTENCE = re.compile(r"[^。！？!?]+[。！？!?]?")


def sentences(text: str) -> list[str]:
    return [part.strip() for part in _SENTENCE.findall(text) if part.strip()]


def bigrams(text: str) -> Counter[str]:
    """Pairs of neighbouring characters, case folded, without white space: words of Chinese without a dictionary."""
    plain = "".join(text.casefold().split())
    return Counter(plain[i : i + 2] for i in range(len(plain) - 1))


def overlap(query: str, text: str) -> float:
    """Share of the query's distinct pairs that the text holds; 0 for an empty query."""
    asked = set(bigrams(query))
    return len(asked & set(bigrams(text))) / len(asked) if asked else 0.0


def summarise(texts: list[str], budget: int) -> list[tuple[int, str]]:
    """The most central sentences that fit into the budget (tokens), as (index of the text, sentence).

    A sentence's centrality is the mean frequency of its pairs in the whole; what is said often survives, whether it
    still holds or not.
    """
    whole: Counter[str] = Counter()
    for text in texts:
        whole.update(bigrams(text))
    found = [(index, sentence) for index, text in enumerate(texts) for sentence in sentences(text)]

    def centrality(place: int) -> tuple[float, int]:
        pairs = bigrams(found[place][1])
        mean = sum(whole[pair] for pair in pairs) / max(1, len(pairs))
        return -mean, place

    kept: list[int] = []
    left = budget
    for place in sorted(range(len(found)), key=centrality):
        size = count_tokens(found[place][1])
        if size <= left:
            kept.append(place)
            left -= size
    return [found[place] for place in sorted(kept)]
