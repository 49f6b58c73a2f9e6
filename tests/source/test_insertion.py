"""An item is added to a list; every line that people wrote stays as it was."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.errors import Finding
from generator.model.base import Json
from generator.read.yaml_file import load_yaml
from generator.resources import resource
from generator.source.insertion import with_item
from generator.source.yaml_file import YamlFile, commented, dump, load, parse, plain

NEW = '- {batch: b-2, since: "2026-05-06"}'
ITEM: Json = {"batch": "b-2", "since": "2026-05-06"}


def add(text: str, item: Json = ITEM, key: str = "published") -> str:
    return with_item(YamlFile("x.yaml", text, parse(text)), key, commented(item))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "published: []\ntitle: x\n",
            f"published:\n  {NEW}\ntitle: x\n",
        ),
        (
            "published:   # none yet\ntitle: x\n",
            f"published:   # none yet\n  {NEW}\ntitle: x\n",
        ),
        (
            "published: null\n",
            f"published:\n  {NEW}\n",
        ),
        (
            "published:\n  - batch: b-1   # the first\n    since: 2026-01-01\n\n# Title\ntitle: x\n",
            f"published:\n  - batch: b-1   # the first\n    since: 2026-01-01\n  {NEW}\n\n# Title\ntitle: x\n",
        ),
        (
            "published:\n- {batch: b-1, since: x}\ntitle: x",
            f"published:\n- {{batch: b-1, since: x}}\n{NEW}\ntitle: x\n",
        ),
        (
            "published:\n      - {batch: b-1}\n      # gone: b-0\n",
            f"published:\n      - {{batch: b-1}}\n      # gone: b-0\n      {NEW}\n",
        ),
    ],
)
def test_only_the_item_is_new(before: str, after: str) -> None:
    assert add(before) == after


@pytest.mark.parametrize(
    "before",
    [
        "title: x\n",
        "published: [{batch: b-1}]\n",
        "{published: [], title: x}\n",
        '"published": []\n',
        "published: [\n]\ntitle: x\n",
        "published:\n  - |\n    text\n    # no comment\ntitle: x\n",
    ],
)
def test_other_styles_are_added_to_as_well(before: str) -> None:
    old, new = yaml.safe_load(before), yaml.safe_load(add(before))
    assert new == old | {"published": [*(old.get("published") or []), ITEM]}


@pytest.mark.parametrize(("name", "key"), [("experiments", "experiments"), ("publication", "published")])
def test_the_projects_own_files_change_by_the_item_alone(name: str, key: str) -> None:
    file = load(resource("data"), f"{name}.yaml")
    assert not isinstance(file, Finding)
    old, new = file.text.split("\n"), with_item(file, key, commented(ITEM)).split("\n")
    new.remove(f"  {NEW}")
    assert new == old


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    [
        "no",
        "12:30",
        "1.10",
        "0x10",
        "null",
        "~",
        "- a",
        "a: b",
        "# a",
        "&a",
        "*a",
        "!t",
        "2026-01-01",
        "1e5",
        ".nan",
        "",
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS.filter(bool), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
@settings(deadline=None, derandomize=True, database=None, max_examples=300)
def test_the_source_reads_what_was_written(value: Json) -> None:
    text = dump(commented({"value": value}))
    located, findings = load_yaml("x.yaml", text.encode())
    assert findings == []
    assert located is not None
    assert located.value == {"value": value}
    assert plain(parse(text)) == {"value": value}


@pytest.mark.parametrize(
    ("raw", "code"),
    [(None, "RC001"), (b"\xff", "RC002"), (b"a: [", "RC003"), (b"- a", "RC008"), (b"a: 1\na: 2", "RC003")],
)
def test_files_that_cannot_be_added_to(tmp_path: Path, raw: bytes | None, code: str) -> None:
    if raw is not None:
        (tmp_path / "x.yaml").write_bytes(raw)
    finding = load(tmp_path, "x.yaml")
    assert isinstance(finding, Finding)
    assert (finding.code, finding.place.file) == (code, "x.yaml")
