"""The spans of one trace → one run."""

from dataclasses import dataclass

from generator.model.base import Json
from generator.model.runs import Context, ContextEntry, ModelTurn, State, Timing, ToolCall, Usage
from generator.read.importers.files import parse_json
from generator.read.importers.harness import crash_reason
from generator.read.importers.otel_spans import Span
from generator.read.importers.values import as_count, as_list, as_number, as_object, as_text

CASE = ("eval.case_id", "eval.case.id", "case_id")
VARIANT = ("eval.variant", "variant")
REPEAT = ("eval.repeat", "eval.trial.index", "repeat")
SCORE = ("eval.score",)
PASSED = ("eval.passed",)
_MODEL_CALLS = ("chat", "text_completion", "generate_content")
_LIMITS = ("UsageLimitExceeded", "MaxTurnsExceeded", "GraphRecursionError", "RecursionLimitReached")
"""Exceptions by which a framework says that its agent ran out of steps."""


@dataclass(frozen=True, slots=True)
class Trace:
    """The spans of one trace in the order of their start."""

    id: str
    spans: list[Span]

    def named(self, names: tuple[str, ...]) -> Json:
        """The first attribute of these names, outermost spans first."""
        ordered = sorted(self.spans, key=lambda span: span.parent is not None)
        return next((span.attributes[name] for name in names for span in ordered if name in span.attributes), None)

    @property
    def root(self) -> Span:
        """The span without a parent in this trace that began first."""
        known = {span.id for span in self.spans}
        return next((span for span in self.spans if span.parent not in known), self.spans[0])

    @property
    def model_calls(self) -> list[Span]:
        return [span for span in self.spans if span.operation in _MODEL_CALLS]

    @property
    def model(self) -> str | None:
        models = (as_text(span.attributes.get("gen_ai.request.model")) for span in self.model_calls)
        return next((model for model in models if model is not None), None)

    @property
    def catalog(self) -> list[str] | None:
        """Names of the tools that the model was offered."""
        for span in self.model_calls:
            definitions = as_list(parsed(span.attributes.get("gen_ai.tool.definitions")))
            names = [name for tool in map(as_object, definitions) if (name := as_text(tool.get("name"))) is not None]
            if names and len(names) == len(definitions):
                return names
        return None


def state_of(trace: Trace) -> tuple[State, str | None]:
    """The status of the outermost span. Frameworks end an agent that ran out of steps by an exception."""
    root = trace.root
    if not root.is_error:
        return "COMPLETE", None
    kinds = {span.error_type for span in trace.spans if span.is_error}
    if root.error_type in _LIMITS or (not root.error_type and kinds & set(_LIMITS)):
        return "FAILED", "max_steps"
    return "INVALID", crash_reason(root.error)


def verdict_of(trace: Trace, state: State) -> dict[str, Json]:
    """A score stands as the reward; a run that is valid and has none was not passed."""
    passed, score = trace.named(PASSED), as_number(trace.named(SCORE))
    if isinstance(passed, bool):
        return {"passed": passed}
    if score is not None:
        return {"reward": score}
    return {"reward": None} if state == "FAILED" else {}


def steps_of(trace: Trace) -> list[ModelTurn | ToolCall]:
    steps: list[ModelTurn | ToolCall] = []
    for span in trace.spans:
        if span.operation in _MODEL_CALLS:
            steps.append(
                ModelTurn(
                    started_at=span.started_at,
                    duration_ms=span.duration_ms,
                    prompt_tokens=as_count(span.attributes.get("gen_ai.usage.input_tokens")),
                    completion_tokens=as_count(span.attributes.get("gen_ai.usage.output_tokens")),
                )
            )
        elif span.operation == "execute_tool":
            steps.append(_tool_call(span))
    return steps


def _tool_call(span: Span) -> ToolCall:
    result = parsed(span.attributes.get("gen_ai.tool.call.result"))
    return ToolCall(
        tool=as_text(span.attributes.get("gen_ai.tool.name")) or span.name,
        call_id=as_text(span.attributes.get("gen_ai.tool.call.id")),
        arguments=parsed(span.attributes.get("gen_ai.tool.call.arguments")),
        status="error" if span.is_error else "ok",
        result=None if span.is_error else result,
        error=(result if result is not None else span.error_type or None) if span.is_error else None,
        duration_ms=span.duration_ms,
    )


def usage_of(steps: list[ModelTurn | ToolCall]) -> Usage | None:
    """The sum over the calls of the model, where each says its tokens."""
    turns = [step for step in steps if isinstance(step, ModelTurn)]
    prompts = [turn.prompt_tokens for turn in turns if turn.prompt_tokens is not None]
    completions = [turn.completion_tokens for turn in turns if turn.completion_tokens is not None]
    if not turns or len(prompts) < len(turns) or len(completions) < len(turns):
        return None
    return Usage(prompt_tokens=sum(prompts), completion_tokens=sum(completions))


def timing_of(trace: Trace) -> Timing | None:
    root = trace.root
    if root.duration_ms is None:
        return None
    return Timing(started_at=root.started_at, duration_ms=root.duration_ms, event="execution", authority="client")


def context_of(trace: Trace) -> Context | None:
    """System instructions, and what the user said before the first answer."""
    if not trace.model_calls:
        return None
    first = trace.model_calls[0].attributes
    entries = [
        ContextEntry(id=f"system-{number}", region="instruction", text=text)
        for number, text in enumerate(_texts(as_list(parsed(first.get("gen_ai.system_instructions")))), start=1)
    ]
    for message in map(as_object, as_list(parsed(first.get("gen_ai.input.messages")))):
        texts = _texts(as_list(message.get("parts"))) if message.get("role") == "user" else []
        entries += [ContextEntry(id=f"user-{len(entries) + 1}", text=text) for text in texts]
    return Context(entries=entries) if entries else None


def answer_of(trace: Trace) -> str | None:
    """What the last call of the model said, if it said anything and called no tool."""
    for span in reversed(trace.model_calls):
        messages = map(as_object, as_list(parsed(span.attributes.get("gen_ai.output.messages"))))
        texts = [text for message in messages for text in _texts(as_list(message.get("parts")))]
        return texts[-1] if texts else None
    return None


def _texts(parts: list[Json]) -> list[str]:
    found = []
    for part in map(as_object, parts):
        text = as_text(part.get("content"))
        if part.get("type") == "text" and text is not None:
            found.append(text)
    return found


def parsed(value: Json) -> Json:
    """Structured attributes stand as JSON in a text; what is no JSON is the text itself."""
    if not isinstance(value, str) or value[:1] not in ("{", "["):
        return value
    try:
        return parse_json(value)
    except (ValueError, RecursionError):
        return value
