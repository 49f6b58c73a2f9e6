"""Two runs aligned, by hand."""

import pytest

from generator.views.compared import Call, Compared, Difference, Digest, align, compare
from generator.views.evidence import Beside
from tests.render.sample import sample

BESIDE = Beside("other", "budgeted", 0)


def _digest(*calls: tuple[str, object], answer: str | None = "yes") -> Digest:
    """Calls at steps 2, 4, 6 …, as after turns of the model."""
    made = tuple(Call(2 * place, tool, arguments) for place, (tool, arguments) in enumerate(calls, start=1))  # type: ignore[arg-type]
    return Digest("run", made, None if answer is None else {"text": answer})


def _compared(here: Digest, there: Digest) -> tuple[int | None, list[tuple[str, str, int | None, int | None]]]:
    told = compare(here, there, BESIDE)
    return told.same, [(it.change, it.tool, it.here, it.there) for it in told.differences]


def test_the_same_calls() -> None:
    run = _digest(("search", {"a": 1, "b": 2}), ("price", {}))
    other = _digest(("search", {"b": 2, "a": 1}), ("price", {}))
    assert _compared(run, other) == (2, []), "the order of names makes no difference"


def test_other_arguments_are_named_on_either_side() -> None:
    told = compare(_digest(("price", {"a": 1, "b": 2, "d": 0})), _digest(("price", {"a": 1, "b": 3, "c": 4})), BESIDE)
    assert told.same == 0
    assert told.differences == (Difference("arguments", "price", 2, 2, ("b", "d", "c")),)


def test_arguments_without_names_differ_as_a_whole() -> None:
    cut = {"text": "x", "truncated": True, "length": 900, "sha256": None}
    told = compare(_digest(("price", {"a": 1})), _digest(("price", cut)), BESIDE)
    assert told.differences == (Difference("arguments", "price", 2, 2, ()),)


def test_a_call_in_the_middle_moves_none_of_the_others() -> None:
    run = _digest(("search", {}), ("price", {}))
    other = _digest(("search", {}), ("extra", {}), ("price", {}))
    assert _compared(run, other) == (2, [("there", "extra", None, 4)])
    assert _compared(other, run) == (2, [("here", "extra", 4, None)])


def test_calls_of_different_tools_are_never_set_side_by_side() -> None:
    run, other = _digest(("search", {})), _digest(("price", {}))
    assert _compared(run, other) == (0, [("here", "search", 2, None), ("there", "price", None, 2)])


def test_the_fewest_changes_count_and_not_the_first_match() -> None:
    """`a b c` and `c a b`: taking c first would leave five alone instead of two."""
    run = _digest(("a", 1), ("b", 1), ("c", 1))
    other = _digest(("c", 1), ("a", 1), ("b", 1))
    assert _compared(run, other) == (2, [("there", "c", None, 2), ("here", "c", 6, None)])


def test_equal_ways_keep_calls_together_from_the_beginning() -> None:
    """Of two calls of a tool either could be the one that is alone: the last one is."""
    first, second = _digest(("a", 1), ("a", 1)), _digest(("a", 1))
    assert _compared(first, second) == (1, [("here", "a", 4, None)])


@pytest.mark.parametrize(
    ("here", "there", "told"),
    [("a", "a", "same"), ("a", "b", "other"), ("a", None, "here"), (None, "a", "there"), (None, None, "none")],
)
def test_answers(here: str | None, there: str | None, told: str) -> None:
    assert compare(_digest(answer=here), _digest(answer=there), BESIDE).answers == told


def test_no_trace_and_too_many_calls_are_said() -> None:
    bare = Digest("run", None, None)
    assert compare(bare, _digest(), BESIDE) == Compared(BESIDE, "none", None, (), "there")
    many = _digest(*[("a", place) for place in range(201)])
    assert compare(many, many, BESIDE).calls == "long"
    assert align((), ()) == []


def test_neighbours_are_the_other_variants_and_a_repeat() -> None:
    index = sample().index
    assert [(it.variant, it.repeat) for it in index.context(sample().run_of("safety-01", "full", 1)).beside] == [
        ("budgeted", 1),
        ("full", 0),
    ]
    first = index.context(sample().run_of("safety-01", "full", 0)).beside
    assert [(it.variant, it.repeat) for it in first] == [("budgeted", 0), ("full", 1)]
    skipped = index.context(sample().run_of("safety-01", "full", 3)).beside
    assert [(it.variant, it.repeat) for it in skipped] == [("full", 2)], "a cell without a run has nothing to compare"
