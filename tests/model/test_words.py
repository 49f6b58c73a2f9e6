"""Options in words, and the one that was probably meant."""

import pytest

from generator.model.words import closest, did_you_mean, in_words, one_of


def test_lists_are_cut_and_counted() -> None:
    assert in_words(["a", "b"]) == "a, b"
    assert in_words([]) == "none"
    assert in_words(str(number) for number in range(23)).endswith("18, 19 and 3 more")
    assert in_words(str(number) for number in range(20)).endswith(", 19")


def test_options_or_that_there_are_none() -> None:
    assert one_of(["a", "b"], "a letter") == "one of a, b"
    assert one_of([], "a letter") == "a letter, of which there is none"


@pytest.mark.parametrize(
    ("name", "meant"),
    [("ful", "full"), ("FULL", "full"), ("bugdeted", "Budgeted"), ("zzz", None), ("", None), ("full" * 50, None)],
)
def test_the_closest_option(name: str, meant: str | None) -> None:
    assert closest(name, ["full", "Budgeted"]) == meant


def test_a_suggestion_comes_before_the_remedy() -> None:
    assert did_you_mean("ful", ["full"], "add it") == "did you mean `full`? If not, add it"
    assert did_you_mean("zzz", ["full"], "add it") == "add it"
