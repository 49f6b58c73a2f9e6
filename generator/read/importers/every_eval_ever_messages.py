"""Input, output and messages of an instance → its conversation."""

from generator.model.base import Json
from generator.model.runs import ModelTurn
from generator.read.importers.conversation import Conversation
from generator.read.importers.values import as_list, as_object, as_text


def conversation_of(row: dict[str, Json]) -> Conversation:
    """Messages where there are any; else the one input and its output."""
    talk = Conversation()
    messages = [as_object(message) for message in as_list(row.get("messages"))]
    if not messages:
        talk.hear(as_text(as_object(row.get("input")).get("raw")))
        answers = as_list(as_object(row.get("output")).get("raw"))
        talk.speak(ModelTurn(), as_text(answers[-1]) if answers else None)
        return talk
    for position, message in enumerate(messages):
        _take(talk, position, message)
    return talk


def _take(talk: Conversation, position: int, message: dict[str, Json]) -> None:
    role, text = message.get("role"), as_text(message.get("content"))
    if role == "system":
        talk.instruct(f"system-{position}", text)
    elif role == "assistant":
        talk.speak(ModelTurn(), text)
        for call in map(as_object, as_list(message.get("tool_calls"))):
            name = as_text(call.get("name"))
            if name is not None:
                talk.call(as_text(call.get("id")), name, call.get("arguments"))
    elif role == "tool":
        for call_id in as_list(message.get("tool_call_id")):
            talk.receive(as_text(call_id), text, failed=False)
    else:
        talk.hear(text)
