"""The messages of one run → its context, its trace and its answer."""

from dataclasses import dataclass, field

from generator.model.base import Json
from generator.model.runs import Context, ContextEntry, ModelTurn, ToolCall

NO_RESULT = "no result recorded"


@dataclass
class _OpenCall:
    call_id: str | None
    tool: str
    arguments: Json
    turn: int
    duration_ms: float | None = None
    result: str | None = None
    failed: bool = False
    answered: bool = False

    def close(self) -> ToolCall:
        if not self.answered:
            return ToolCall(
                tool=self.tool,
                call_id=self.call_id,
                arguments=self.arguments,
                status="error",
                error=NO_RESULT,
                duration_ms=self.duration_ms,
            )
        return ToolCall(
            tool=self.tool,
            call_id=self.call_id,
            arguments=self.arguments,
            status="error" if self.failed else "ok",
            result=None if self.failed else self.result,
            error=self.result if self.failed else None,
            duration_ms=self.duration_ms,
        )


@dataclass
class Conversation:
    """Takes the messages in their order.

    Call ids repeat within a run in real files, so a result goes to the first unanswered call of that id in the latest
    turn that has one. A result without a call is counted in `stray_results`.
    """

    entries: list[ContextEntry] = field(default_factory=list)
    steps: list[ModelTurn | _OpenCall] = field(default_factory=list)
    answer: str | None = None
    stray_results: int = 0
    turns: int = 0
    users: int = 0

    def instruct(self, entry_id: str, text: str | None) -> None:
        """An instruction that the agent was given: policy, system prompt, ticket."""
        if text is not None:
            self.entries.append(ContextEntry(id=entry_id, region="instruction", text=text))

    def hear(self, text: str | None) -> None:
        """A message of the user."""
        if text is not None:
            self.users += 1
            self.entries.append(ContextEntry(id=f"user-{self.users}", text=text))

    def speak(self, turn: ModelTurn | None, text: str | None) -> None:
        """A message of the agent; `turn` is null where no model was called for it."""
        if turn is not None:
            self.turns += 1
            self.steps.append(turn)
        if text is not None:
            self.answer = text

    def call(self, call_id: str | None, tool: str, arguments: Json, duration_ms: float | None = None) -> None:
        """A tool call of the agent's last message."""
        self.steps.append(_OpenCall(call_id, tool, arguments, self.turns, duration_ms))

    def receive(self, call_id: str | None, result: str | None, failed: bool) -> None:
        """What a tool gave back."""
        waiting = [
            step for step in self.steps if isinstance(step, _OpenCall) and step.call_id == call_id and not step.answered
        ]
        if not waiting:
            self.stray_results += 1
            return
        latest = max(step.turn for step in waiting)
        call = next(step for step in waiting if step.turn == latest)
        call.result, call.failed, call.answered = result, failed, True

    @property
    def context(self) -> Context:
        return Context(entries=self.entries)

    @property
    def trace(self) -> list[ModelTurn | ToolCall]:
        return [step if isinstance(step, ModelTurn) else step.close() for step in self.steps]
