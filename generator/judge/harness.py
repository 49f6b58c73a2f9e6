"""A harness's own verdict."""

from generator.judge.details import TaskPassDetail, decided
from generator.judge.judgement import Judgement
from generator.model.assertions import Assertion, not_applicable

# Rewards are sums of floats in some harnesses.
TOLERANCE = 1e-6


def task_pass_rate(judgement: Judgement) -> Assertion:
    """The run's `extra` says that it passed: `reward` is 1, or `passed` is true.

    A valid run whose reward is null was not passed; one without either key has no verdict. `verdicts` holds those of a
    judge that was asked repeatedly; they decide nothing.
    """
    extra = judgement.run.extra
    reward, passed = extra.get("reward"), extra.get("passed")
    given = extra.get("verdicts")
    verdicts = [verdict for verdict in given if isinstance(verdict, bool)] if isinstance(given, list) else []
    if isinstance(reward, int | float) and not isinstance(reward, bool):
        return decided(abs(reward - 1) <= TOLERANCE, TaskPassDetail(reward=reward, passed=None, verdicts=verdicts))
    if isinstance(passed, bool):
        return decided(passed, TaskPassDetail(reward=None, passed=passed, verdicts=verdicts))
    if "reward" in extra and reward is None:
        return decided(False, TaskPassDetail(reward=None, passed=None, verdicts=verdicts), "no_reward")
    return not_applicable("not_recorded")
