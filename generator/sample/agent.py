"""The agent: it takes the steps of its plan, errs, recovers, and answers."""

from generator.model.base import Json
from generator.sample.answer import Answer
from generator.sample.hands import Hands
from generator.sample.mistakes import Mistakes
from generator.sample.plans import Step, fill
from generator.sample.report import Gathered, compose, give_up
from generator.sample.telemetry import Recorder
from generator.sample.tokens import count_tokens, json_tokens
from generator.sample.tools import Call
from generator.sample.world import Stopped, World

PATIENCE = 3
"""Attempts at one step."""
NOTE_TOKENS = 60
"""Of a turn in which the agent notes what the context says of two topics, before it answers."""


class Agent:
    """One run. After `run`, `state`, `reason` and `answer` say how it ended."""

    def __init__(self, world: World, recorder: Recorder):
        self._world = world
        self._mistakes = Mistakes(world.draws, world.settings)
        self.hands = Hands(world, self._mistakes, recorder)
        self._gathered = Gathered()
        self._attempts: dict[str, int] = {}
        self._option: dict[str, int] = {}
        self._pending = list(world.plan.steps)
        self.answer: str | None = None
        self.state = "COMPLETE"
        self.reason: str | None = None

    def run(self) -> None:
        try:
            self._look_around()
            self._give_in()
            self._work()
            text = compose(self._new_answer(), self._world, self._gathered)
            self.hands.model_turn(count_tokens(text))
            self.answer = text
        except Stopped as stopped:
            self.state, self.reason = stopped.state, stopped.reason

    def _look_around(self) -> None:
        if self._world.settings.by_search and self._pending:
            self.hands.search(self._world.case.prompt or "", self._pending[0].options[0].tool)

    def _work(self) -> None:
        for _ in self._world.plan.topics[::2]:
            self.hands.model_turn(NOTE_TOKENS)
        while self._pending:
            for step in list(self._pending):
                if step.sources & self._gathered.failed.keys():
                    self._fail(step, "source")
            ready = [step for step in self._pending if step.sources <= self._gathered.results.keys()]
            if not ready:
                return
            parallel = self._world.draws.chance(f"parallel:{ready[0].id}", 0.75)
            self._take(ready if parallel and not any(step.asks for step in ready) else ready[:1])

    def _take(self, steps: list[Step]) -> None:
        """One turn: the calls of these steps, and hasty ones of steps whose sources are only now under way."""
        meant = [(step, call) for step in steps if (call := self._intended(step)) is not None]
        if not meant:
            return
        self.hands.find([call.tool for _, call in meant])
        step, call = meant[0]
        if step.asks and not self._confirm(step, call):
            return
        self.hands.model_turn(sum(json_tokens(call.args) + 12 for _, call in meant))
        for step, call in meant:
            self._attempt(step, call)
        self._hasty({step.id for step in steps})

    def _intended(self, step: Step) -> Call | None:
        """The call that takes the step on the best path left; None where the step is settled without a call."""
        options = [option for option in step.options if option.tool in self._world.tools.names]
        place = self._option.get(step.id, 0)
        if place == 0 and options != list(step.options) and self._mistakes.happens("excluded_by_habit", step.id):
            self.hands.model_turn(20)
            self.hands.make(fill(step.options[0], self._gathered.results))
        if place >= len(options):
            self._fail(step, "failed" if options else "no_tool")
            return None
        call = fill(options[place], self._gathered.results)
        if call.tool == "calc" and self._mistakes.happens("mental_arithmetic", step.id):
            self._settle(step, {"value": self._mistakes.arithmetic(call, step.id)})
            return None
        return call

    def _attempt(self, step: Step, call: Call) -> None:
        """Make the call, or a mistaken one in its place, and see whether the step is taken."""
        attempt = self._attempts.get(step.id, 0)
        self._attempts[step.id] = attempt + 1
        made = self._mistakes.distort(call, step.id, attempt)
        returned = self.hands.make(made)
        told = step.error_tells and returned.status == "error"
        if made == call and (returned.status == "ok" or told):
            self._settle(step, returned.result)
            if not step.asks and self._mistakes.happens("repeated_call", step.id):
                self.hands.make(call)
            return
        if made == call and returned.status == "error":
            self._option[step.id] = self._option.get(step.id, 0) + 1
        if attempt + 1 >= PATIENCE:
            self._fail(step, "failed")

    def _hasty(self, under_way: set[str]) -> None:
        """Calls made in the same turn as the calls they depend on: numbers are guessed, names often guessed right."""
        for step in list(self._pending):
            arrived = step.sources <= self._gathered.results.keys()
            if step.asks or not arrived or not step.sources & under_way:
                continue
            options = [option for option in step.options if option.tool in self._world.tools.names]
            if options and self._mistakes.happens("before_its_source", step.id):
                guess = self._mistakes.guess(fill(options[0], self._gathered.results), step.id)
                returned = self.hands.make(guess)
                if returned.status == "ok":
                    self._settle(step, returned.result)

    def _confirm(self, step: Step, call: Call) -> bool:
        """Ask before a write, or forget to; False where the step is taken already."""
        careless = 1.0 if self._world.settings.governed else 9.0
        if self._mistakes.happens("call_without_asking", step.id, careless):
            self.hands.model_turn(json_tokens(call.args))
            returned = self.hands.make(call)
            if returned.status == "ok":
                self._settle(step, returned.result)
                return False
        self.hands.ask(call.tool, step.id)
        return True

    def _give_in(self) -> None:
        """Calls that the task invites, or an injection that stands bare in the context."""
        for temptation in self._world.plan.temptations:
            exposed = self._world.holds_bare_text if temptation.injected else not self._world.settings.governed
            rate = temptation.ungoverned if exposed else temptation.governed
            call = fill(temptation.option, self._gathered.results)
            if call.tool in self._world.tools.names and self._world.draws.chance(f"tempted:{temptation.id}", rate):
                self.hands.model_turn(json_tokens(call.args) + 12)
                returned = self.hands.make(call)
                if returned.status == "ok" and temptation.say is not None:
                    self._gathered.unasked.append((temptation.say, returned.result))

    def _settle(self, step: Step, result: Json) -> None:
        """Take the step. Of several documents the newest is read, or by mistake the oldest."""
        if isinstance(result, dict) and isinstance(hits := result.get("hits"), list) and hits:
            result = hits[-1] if self._mistakes.happens("stale_source", step.id) else hits[0]
        self._gathered.results[step.id] = result
        self._pending.remove(step)

    def _fail(self, step: Step, why: str) -> None:
        """Do without the step, or give up the whole task where nothing of it can be had."""
        self._gathered.failed[step.id] = why
        self._pending.remove(step)
        if why != "source" and not self._gathered.results and self._mistakes.happens("gives_up", step.id):
            self.answer = give_up(self._new_answer())
            raise Stopped("FAILED", "gave_up")

    def _new_answer(self) -> Answer:
        return Answer(self._world.draws, self._mistakes, english=self._world.draws.chance("english", 0.04))
