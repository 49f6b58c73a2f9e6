"""The messages of one Inspect sample. Texts may stand in `attachments` and be referenced."""

from generator.model.base import Json
from generator.model.runs import ModelTurn
from generator.read.importers.conversation import Conversation
from generator.read.importers.values import as_list, as_object, as_text

_REFERENCE = "attachment://"
MEDIA = {"image": "[image]", "audio": "[audio]", "video": "[video]", "document": "[document]"}


def record_messages(sample: dict[str, Json]) -> Conversation:
    """System messages are instructions; reasoning is no part of what an agent said."""
    attachments = as_object(sample.get("attachments"))
    talk = Conversation()
    for position, item in enumerate(as_list(sample.get("messages"))):
        message = as_object(item)
        role = message.get("role")
        text = content_text(message.get("content"), attachments)
        if role == "system":
            talk.instruct("system" if position == 0 else f"system-{position}", text)
        elif role == "user":
            talk.hear(text)
        elif role == "assistant":
            talk.speak(ModelTurn(), text)
            for call in as_list(message.get("tool_calls")):
                _call(talk, as_object(call), attachments)
        elif role == "tool":
            error = as_object(message.get("error"))
            failure = content_text(error.get("message"), attachments) or as_text(error.get("type"))
            talk.receive(as_text(message.get("tool_call_id")), failure if error else text, bool(error))
    return talk


def _call(talk: Conversation, call: dict[str, Json], attachments: dict[str, Json]) -> None:
    """Older logs give the name as `function`, the arguments as an object; a call that was no JSON has none."""
    arguments = resolved(call.get("arguments"), attachments)
    talk.call(as_text(call.get("id")), as_text(call.get("function")) or "", arguments)


def content_text(content: Json, attachments: dict[str, Json]) -> str | None:
    """A text, or the texts of a list with a sign for each picture; None where nothing was said."""
    if isinstance(content, str):
        return as_text(_text(content, attachments))
    parts = []
    for item in as_list(content):
        part = as_object(item)
        kind = as_text(part.get("type")) or ""
        if kind == "text":
            parts.append(_text(as_text(part.get("text")) or "", attachments))
        elif kind in MEDIA:
            parts.append(MEDIA[kind])
    return as_text("\n".join(part for part in parts if part))


def resolved(value: Json, attachments: dict[str, Json]) -> Json:
    """A value with the texts that it references."""
    if isinstance(value, str):
        return _text(value, attachments)
    if isinstance(value, list):
        return [resolved(item, attachments) for item in value]
    if isinstance(value, dict):
        return {key: resolved(item, attachments) for key, item in value.items()}
    return value


def _text(text: str, attachments: dict[str, Json]) -> str:
    if text.startswith(_REFERENCE):
        text = as_text(attachments.get(text.removeprefix(_REFERENCE))) or ""
    return MEDIA["image"] if text.startswith("data:image/") else text
