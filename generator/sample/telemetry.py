"""What a run costs: tokens from the length of its texts, time from a model of the work done."""

import datetime
import math

from generator.model.base import Json
from generator.sample.draws import Draws
from generator.sample.tokens import count_tokens, json_tokens
from generator.sample.tools import Call, Returned

SYSTEM_TOKENS = 160
"""Of the system prompt, which is withheld."""
PROMPT_PRICE, COMPLETION_PRICE = 4e-7, 16e-7
"""USD a token; invented."""


class Recorder:
    """The trace of a run, as it grows, with its clock (ms since the start)."""

    def __init__(self, draws: Draws, started_at: datetime.datetime, standing_tokens: int):
        self._draws = draws
        self._started_at = started_at
        self._standing = SYSTEM_TOKENS + standing_tokens
        self.elapsed_ms = 0
        self.turns = 0
        self.calls = 0
        self.prompt_tokens = 0
        self.completion_tokens = 0
        self.trace: list[dict[str, Json]] = []

    def tell(self, text: str) -> None:
        """Text that stands in the conversation from now on."""
        self._standing += count_tokens(text)

    def model_turn(self, words: int) -> None:
        """One call of the model that writes `words` tokens besides what it thinks."""
        self.turns += 1
        completion = words + 24 + int(self._draws.decision(f"thinks:{self.turns}") * 46)
        prompt = self._standing
        duration = self._noisy(420 + 0.11 * prompt + 17 * completion, f"model:{self.turns}")
        self.trace.append(
            {
                "kind": "model",
                "started_at": iso_time(self._started_at, self.elapsed_ms),
                "duration_ms": duration,
                "prompt_tokens": prompt,
                "completion_tokens": completion,
            }
        )
        self.elapsed_ms += duration
        self.prompt_tokens += prompt
        self.completion_tokens += completion
        self._standing += completion

    def tool_call(self, call: Call, returned: Returned) -> None:
        """One call, in the turn of the model call before it. A call that timed out is timed by the client."""
        self.calls += 1
        duration = self._noisy(returned.duration_ms, f"tool:{self.calls}")
        entry: dict[str, Json] = {
            "kind": "tool",
            "call_id": f"c{self.calls}",
            "tool": call.tool,
            "arguments": call.args,
            "status": returned.status,
        }
        if returned.result is not None:
            entry["result"] = returned.result
        if returned.error is not None:
            entry["error"] = returned.error
        by_client = returned.error == "UPSTREAM_TIMEOUT"
        self.trace.append({**entry, "duration_ms": duration, "authority": "client" if by_client else "server"})
        self.elapsed_ms += duration
        self._standing += json_tokens(returned.result if returned.error is None else returned.error)

    def wait(self, duration_ms: int) -> None:
        self.elapsed_ms += duration_ms

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    @property
    def cost_usd(self) -> float:
        return round(self.prompt_tokens * PROMPT_PRICE + self.completion_tokens * COMPLETION_PRICE, 6)

    def _noisy(self, base_ms: float, purpose: str) -> int:
        """Log-normal noise of about a quarter, from one draw (logistic quantile)."""
        draw = min(0.999, max(0.001, self._draws.physical(purpose)))
        return max(1, round(base_ms * math.exp(0.14 * math.log(draw / (1 - draw)))))


def iso_time(start: datetime.datetime, after_ms: int) -> str:
    moment = start + datetime.timedelta(milliseconds=after_ms)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"
