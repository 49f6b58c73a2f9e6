"""Answers from the context: find what was said of a topic, and take the newest wording, mostly."""

from generator.model.runs import ContextEntry
from generator.sample.answer import Answer
from generator.sample.plans import Topic
from generator.sample.summary import sentences
from generator.sample.tokens import count_tokens

CROWDED = 700
"""Tokens of context above which older wordings get in the way more often."""


def recall(topics: tuple[Topic, ...], context: list[ContextEntry], answer: Answer) -> None:
    """Say what the built context holds of each topic.

    A topic that the context lost is admitted, or filled with a number from nowhere.
    """
    kept = [entry for entry in context if entry.kept]
    crowded = sum(count_tokens(entry.text) for entry in kept) > CROWDED
    for topic in topics:
        found = [part for entry in kept for part in sentences(entry.text) if topic.words in part]
        if not found:
            if answer.mistakes.happens("fabricated_value", topic.id):
                answer.from_nowhere("misremembered", topic.id, {"label": topic.say})
            else:
                answer.say("forgotten", topic.id, {"label": topic.say})
            continue
        stale = len(found) > 1 and answer.mistakes.happens("stale_memory", topic.id, 1.6 if crowded else 0.8)
        chosen = found[0] if stale else found[-1]
        answer.say("recalled", topic.id, {"label": topic.say, "text": _statement(chosen, topic.words)})


def _statement(sentence: str, words: str) -> str:
    """The sentence without its label and its final mark, starting no later than the topic."""
    plain = sentence.rstrip("。！？!?")
    _, mark, rest = plain.partition("：")
    return rest if mark and words in rest else plain
