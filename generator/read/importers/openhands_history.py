"""The history of an OpenHands run → its conversation."""

from generator.model.base import Json
from generator.model.runs import ModelTurn
from generator.read.importers.conversation import Conversation
from generator.read.importers.files import parse_json
from generator.read.importers.values import as_object, as_text


def record_history(events: list[Json]) -> Conversation:
    """Actions of one response of the model are one turn; the message of `finish` is the answer."""
    talk = Conversation()
    response: str | None = None
    for event in map(as_object, events):
        kind = as_text(event.get("kind"))
        if kind == "ActionEvent":
            own = as_text(event.get("llm_response_id"))
            is_new = own is None or own != response
            response = own
            if is_new:
                talk.speak(ModelTurn(), None)
            _act(talk, event)
        elif kind == "ObservationEvent":
            _observe(talk, event)
        elif kind == "MessageEvent":
            _message(talk, event)
        elif kind == "SystemPromptEvent":
            talk.instruct("system", _text(event.get("system_prompt")))
    return talk


def _act(talk: Conversation, event: dict[str, Json]) -> None:
    call, action = as_object(event.get("tool_call")), as_object(event.get("action"))
    tool = as_text(event.get("tool_name")) or as_text(call.get("name"))
    if tool is None:
        return
    talk.call(as_text(event.get("tool_call_id")), tool, _arguments(call.get("arguments")))
    if tool == "finish":
        talk.speak(None, as_text(action.get("message")))


def _observe(talk: Conversation, event: dict[str, Json]) -> None:
    seen = as_object(event.get("observation"))
    output = _text(seen.get("output")) or _text(seen.get("content")) or _text(seen.get("error"))
    failed = seen.get("error") is True or seen.get("is_error") is True
    talk.receive(as_text(event.get("tool_call_id")), output, failed)


def _message(talk: Conversation, event: dict[str, Json]) -> None:
    said = _text(as_object(event.get("llm_message")).get("content"))
    if event.get("source") == "agent":
        talk.speak(ModelTurn(), said)
    else:
        talk.hear(said)


def _text(value: Json) -> str | None:
    """A text, or the texts of a list of parts."""
    if isinstance(value, list):
        parts = [text for part in value if (text := as_text(as_object(part).get("text"))) is not None]
        return "\n".join(parts) or None
    return as_text(as_object(value).get("text")) if isinstance(value, dict) else as_text(value)


def _arguments(value: Json) -> Json:
    """They stand as JSON in a text; what is no JSON is kept as the text."""
    if not isinstance(value, str):
        return value
    try:
        return parse_json(value)
    except (ValueError, RecursionError):
        return value
