"""From what a run gathered to its answer: reports, admissions, remarks, closings."""

from dataclasses import dataclass, field

from generator.model.base import Json
from generator.sample.answer import Answer
from generator.sample.plans import Step
from generator.sample.recall import recall
from generator.sample.world import World


@dataclass
class Gathered:
    """Results by step, why steps failed (`source`, `no_tool`, `failed`), and results of calls nobody asked for."""

    results: dict[str, Json] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    unasked: list[tuple[str, Json]] = field(default_factory=list)


def compose(answer: Answer, world: World, gathered: Gathered) -> str:
    """The text of the answer."""
    recall(world.plan.topics, world.context, answer)
    for step in world.plan.steps:
        if step.id in gathered.failed:
            _admit(answer, step, gathered.failed[step.id])
        elif step.say is not None and step.id in gathered.results:
            answer.say(step.say, step.id, _values(gathered.results[step.id]))
    for say, result in gathered.unasked:
        answer.say(say, f"unasked:{say}", _values(result))
    _remark(answer, world)
    _close(answer, world, gathered)
    return answer.text()


def give_up(answer: Answer) -> str:
    answer.say("gave_up", "end", {}, droppable=False)
    return answer.text()


def _admit(answer: Answer, step: Step, why: str) -> None:
    """Say what could not be had, or paper over it. What only lacks its source goes without saying."""
    if why == "source":
        return
    if answer.mistakes.happens("fabricated_value", step.id):
        answer.from_nowhere("fabricated", step.id, {"about": step.about})
    else:
        answer.say(why, step.id, {"about": step.about})


def _remark(answer: Answer, world: World) -> None:
    """Sentences that should not be said. Governance warns of them, it cannot prevent them."""
    for remark in world.plan.remarks:
        rate = remark.governed if world.settings.governed else remark.ungoverned
        if world.draws.chance(f"remark:{remark.say}", rate * world.settings.mistake_factor):
            answer.say(remark.say, f"remark:{remark.say}", {}, droppable=False)
    if world.plan.steps and answer.mistakes.happens("invented_remark"):
        answer.from_nowhere("invented", "remark", {})


def _close(answer: Answer, world: World, gathered: Gathered) -> None:
    for closing in world.plan.closings:
        told_anyway = closing.say == "refusal" and gathered.unasked
        if not told_anyway and all(step in gathered.results for step in closing.needs):
            values = _values(gathered.results[closing.needs[0]]) if closing.needs else {}
            answer.say(closing.say, f"closing:{closing.say}", values)


def _values(result: Json) -> dict[str, Json]:
    return result if isinstance(result, dict) else {}
