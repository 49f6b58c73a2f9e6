"""File names and addresses: injective in practice, safe everywhere, stable for ever."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.model.addresses import difference_variant, file_name, number_id, relative, run_page, variant_name
from generator.verify.names import file_name as second_file_name

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


@pytest.mark.parametrize("identifier", ["ctx-2026-11", "a", "0", "a_b-c", "x" * 64])
def test_a_plain_id_is_its_own_name(identifier: str) -> None:
    assert file_name(identifier) == identifier


# Hashes by `printf ID | sha256sum | head -c 10`.
@pytest.mark.parametrize(
    ("identifier", "name"),
    [("CON", "con-a3dbc4b644"), ("a/b", "a-b-c14cddc033"), ("..", "id-5ec1f7e700"), ("中", "id-a567bdaa11")],
)
def test_other_ids_are_a_slug_and_a_hash(identifier: str, name: str) -> None:
    assert file_name(identifier) == name


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(st.text(max_size=400))
def test_every_id_becomes_a_name_that_every_file_system_takes(identifier: str) -> None:
    name = file_name(identifier)
    assert NAME.fullmatch(name)
    assert name not in {"con", "prn", "aux", "nul", "index", "readme", "404", "com1", "lpt1"}
    assert name == second_file_name(identifier)


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(st.lists(st.text("aA-vs_.", max_size=12), min_size=2, max_size=2, unique=True))
def test_two_ids_never_share_a_name(identifiers: list[str]) -> None:
    first, second = identifiers
    assert file_name(first) != file_name(second)
    assert variant_name(first) != variant_name(second)


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(st.text("avs-b", max_size=20))
def test_a_variant_never_holds_what_joins_names(variant: str) -> None:
    assert "-vs-" not in f"-{variant_name(variant)}-"
    assert "--" not in variant_name(variant)


@pytest.mark.parametrize("variant", ["a-vs-b", "a-vs-vs-b", "a--b", "vs", "vs-a", "a-vs", "---", "-vs-"])
def test_a_difference_splits_at_one_place(variant: str) -> None:
    assert difference_variant(variant, "base").count("-vs-") == 1


def test_a_number_id_is_its_page() -> None:
    assert number_id("ctx-2026-11", "full", "avg_turns") == "ctx-2026-11/full/avg_turns"
    assert number_id("B", "full", "avg_turns", "case-x").endswith("/full/avg_turns--case-x")


@pytest.mark.parametrize(
    ("target", "page", "link"),
    [
        ("index.html", "index.html", "index.html"),
        ("runs/b/r.html", "runs/b/s.html", "r.html"),
        ("runs/b/r.html", "numbers/b/v/m.html", "../../../runs/b/r.html"),
        ("index.html", "runs/b/r.html", "../../index.html"),
        ("a/b/c.html", "a/d.html", "b/c.html"),
    ],
)
def test_links_between_pages(target: str, page: str, link: str) -> None:
    assert relative(target, page) == link


def test_a_run_page_stays_in_the_folder_of_its_batch() -> None:
    assert run_page("b", "../../etc/passwd").startswith("runs/b/etc-passwd-")
