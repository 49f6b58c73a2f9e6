"""What is noted of one run while it is made."""

from typing import Literal

from msgspec import UNSET, UnsetType

from generator.model.recording import Ended
from generator.model.runs import INVALID_REASONS, Context, ContextEntry, ModelTurn, State, Timing, ToolCall, Usage
from generator.recording.values import storable, text


class RunNotes:
    """Takes what a run does, in its order. Nothing has to be noted: what is not stays unknown, and the metrics that
    need it are not applicable."""

    def __init__(self) -> None:
        self._trace: list[ModelTurn | ToolCall] = []
        self._entries: list[ContextEntry] = []
        self._answer: str | None = None
        self._usage: Usage | None = None
        self._catalog: list[str] | UnsetType = UNSET
        self._duration_ms: float | None = None
        self._private: dict[str, object] = {}
        self._invalid: str | None = None
        self._failed: str | None = None

    def model(
        self,
        *,
        prompt_tokens: int | None = None,
        completion_tokens: int | None = None,
        duration_ms: float | None = None,
    ) -> None:
        """A call of the model; tool calls that follow belong to it."""
        self._trace.append(
            ModelTurn(prompt_tokens=prompt_tokens, completion_tokens=completion_tokens, duration_ms=duration_ms)
        )

    def call(
        self,
        tool: str,
        arguments: object = None,
        *,
        result: object = None,
        error: object = None,
        status: Literal["ok", "error", "denied"] | None = None,
        duration_ms: float | None = None,
        call_id: str | None = None,
    ) -> None:
        """A call of a tool. Without `status` it is an error where `error` is given, else ok. It belongs to the call of
        the model before it; where none was noted, the number of turns is unknown."""
        self._trace.append(
            ToolCall(
                tool=text(tool),
                call_id=call_id,
                arguments=storable(arguments),
                status=status or ("ok" if error is None else "error"),
                result=storable(result),
                error=storable(error),
                duration_ms=duration_ms,
            )
        )

    def answer(self, said: str) -> None:
        """What the agent said last."""
        self._answer = text(said)

    def usage(
        self,
        *,
        prompt_tokens: int | None = None,
        completion_tokens: int | None = None,
        cost_usd: float | None = None,
        estimated: bool = False,
        cached: bool = False,
    ) -> None:
        """What the whole run used. Without it, the sum of the model calls where each of them says its tokens."""
        self._usage = Usage(
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            cost_usd=cost_usd,
            estimated=estimated,
            cached=cached,
        )

    def tools(self, names: list[str]) -> None:
        """The tools that the run really had."""
        self._catalog = [text(name) for name in names]

    def context(self, said: str, *, region: Literal["instruction", "data"] = "data", id: str | None = None) -> None:
        """A part of what the agent was given: an instruction (a system prompt), or data (a message of the user). An
        instruction is never published, but for its length and hash."""
        name = id or f"entry-{len(self._entries) + 1}"
        self._entries.append(ContextEntry(id=name, region=region, text=text(said)))

    def private(self, **values: object) -> None:
        """Values that must not be published; the leak scan searches the finished site for them."""
        self._private |= values

    def duration_ms(self, value: float) -> None:
        """How long the run took, where the caller knows better than the recorder."""
        self._duration_ms = value

    def invalid(self, reason: str) -> None:
        """The run says nothing of the agent.

        Raises
        ------
        ValueError
            The reason is none of the known ones.
        """
        if reason not in INVALID_REASONS:
            raise ValueError(f"reason: expected one of {', '.join(INVALID_REASONS)}, found {reason}")
        self._invalid = reason

    def failed(self, reason: str) -> None:
        """The agent gave up, ran out of steps, or broke: a valid run that did not pass. `reason` in snake_case."""
        self._failed = reason

    @property
    def invalid_reason(self) -> str | None:
        return self._invalid

    @property
    def failed_reason(self) -> str | None:
        return self._failed

    def ended(
        self,
        key: str,
        state: State,
        reason: str | None,
        passed: bool | None,
        started_at: str | None,
        duration_ms: float | None,
    ) -> Ended:
        """The line of the journal."""
        took = self._duration_ms if self._duration_ms is not None else duration_ms
        timing = None
        if took is not None:
            timing = Timing(started_at=started_at, duration_ms=round(took, 3), event="execution", authority="client")
        return Ended(
            key=key,
            state=state,
            reason=reason,
            passed=passed,
            catalog=self._catalog,
            context=Context(entries=self._entries) if self._entries else None,
            trace=self._trace or None,
            answer=self._answer,
            usage=self._usage or _summed(self._trace),
            timing=timing,
            private={key: storable(value) for key, value in self._private.items()} or None,
        )


def _summed(trace: list[ModelTurn | ToolCall]) -> Usage | None:
    turns = [step for step in trace if isinstance(step, ModelTurn)]
    if not turns:
        return None
    prompts = [turn.prompt_tokens for turn in turns if turn.prompt_tokens is not None]
    completions = [turn.completion_tokens for turn in turns if turn.completion_tokens is not None]
    if len(prompts) < len(turns) or len(completions) < len(turns):
        return None
    return Usage(prompt_tokens=sum(prompts), completion_tokens=sum(completions))
