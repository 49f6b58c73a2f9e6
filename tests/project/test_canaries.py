"""A thousand canaries in all that the whitelist does not name: none of them is in the built site.

The search knows nothing of the program's own leak scan, and it is known to work: controls that stand in whitelisted
fields are found by it.
"""

import base64
import hashlib
import html
import itertools
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from generator.errors import Refused
from generator.pipeline import build_site
from tests.conftest import FIGURES
from tests.publish.leaky import leaky
from tests.support.small_definitions import text
from tests.support.small_source import SmallSource, write_small_source

Dict = dict[str, Any]

CANARIES = 1000
_TOKEN = re.compile("kanari([0-9]{4})x[0-9a-f]{6}")
_TAG = re.compile("<[^<>]*>")
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\[nrt]|\\(.)")


def token(number: int) -> str:
    return f"kanari{number:04}x{hashlib.sha256(str(number).encode()).hexdigest()[:6]}"


def encoded(number: int) -> str:
    return base64.b64encode(token(number).encode()).decode()


class Planter:
    """Gives one canary after another, each in the next form: plain, Base64, across a line break, in a long text."""

    def __init__(self) -> None:
        self._numbers = itertools.count()
        self.planted = 0

    def next(self) -> str:
        number = next(self._numbers)
        self.planted = number + 1
        broken = f"{token(number)[:9]}\n   {token(number)[9:]}"
        long = "\n".join(["前文 before"] * 200 + [token(number)] + ["后文 after"] * 200)
        return (token(number), encoded(number), broken, long)[number % 4]

    def key(self) -> str:
        """A canary that can be a key: plain."""
        number = next(self._numbers)
        self.planted = number + 1
        return token(number)

    def nested(self) -> Dict:
        return {"a": [{self.key(): self.next()}, [self.next()]], self.key(): {"b": {"c": self.next()}}}


def _plant(planter: Planter) -> Callable[[SmallSource], None]:
    def edit(source: SmallSource) -> None:
        _plant_definitions(source, planter)
        config = {"launch": planter.nested(), planter.key(): planter.next(), "sampling_note": planter.next()}
        for run in source.batch.runs:
            for kind in run["config"].values():
                kind.update(config)
        for run in source.batch.runs:
            _plant_run(run, planter)

    return edit


def _plant_definitions(source: SmallSource, planter: Planter) -> None:
    for case in source.cases["bank-small"]["cases"]:
        gold = case["gold"]
        gold["stale_facts"] = [{"id": "old", "values": [planter.next()]}]
        gold["allowed_derived_values"] = [planter.next()]
        gold.setdefault("key_facts", []).append({"id": "more", "values": [planter.next()]})
        gold.setdefault("required_items", []).append({"id": "item", "text": planter.next()})
        gold["confirmation_required"] = [{"id": "never", "tool": "place_order", "args": {"note": planter.next()}}]
    source.sessions["session-small"]["entries"] += [
        {"id": role, "role": role, "text": planter.next()} for role in ("system", "user", "assistant", "tool")
    ]
    source.fixtures["shop-data"]["snapshot"]["note"] = planter.next()
    source.fixtures["shop-data"]["returns"].append({"tool": "get_price", "args": {}, "result": planter.nested()})
    source.batch.head["authorization"]["restricted_data"] = [{"id": "list", "values": [planter.next()]}]


def _plant_run(run: Dict, planter: Planter) -> None:
    run["private"] |= planter.nested() | {
        "list": [planter.nested(), planter.nested()],
        "prompt": planter.next(),
        planter.key(): {planter.key(): [planter.next()]},
    }
    run["extra"] = run.get("extra", {}) | planter.nested()
    run["snapshot"] = run.get("snapshot", {}) | planter.nested()
    run[planter.key()] = planter.next()
    run["unknown"] = planter.nested()
    run["usage"][planter.key()] = planter.next()
    run["timing"]["note"] = planter.next()
    run["meta_tools"] = [planter.key()]
    run["context"]["entries"].append({"id": "extra", "text": planter.next(), "note": planter.next()})
    for step in run["trace"]:
        step[planter.key()] = planter.next()
        if step["kind"] == "tool":
            step["result"] = {"shown": "x" * 300, "hidden": planter.next()}


CONTROLS = ("answer", "tool", "argument", "key", "call_id", "result", "error", "version")


def _plant_controls(source: SmallSource) -> None:
    """Numbers from 9000, in fields that the whitelist names."""
    names = dict(zip(CONTROLS, map(token, itertools.count(9000)), strict=False))
    run = next(run for run in source.batch.runs if run["state"] == "COMPLETE")
    run["answer"] += f" {names['answer'][:8]}\n{names['answer'][8:]}"
    step = next(step for step in run["trace"] if step["kind"] == "tool")
    step |= {"tool": names["tool"], "call_id": names["call_id"], "error": names["error"]}
    step["arguments"] = {names["key"]: [names["argument"]]}
    step["result"]["shown"] = f"{names['result']} {step['result']['shown']}"
    for each in source.batch.runs:
        for kind in each["config"].values():
            kind["agent_version"] = names["version"]


def _found(root: Path) -> Iterator[int]:
    """Numbers of all canaries in all files, in whatever form they stand there."""
    for path in root.rglob("*"):
        if path.is_file():
            raw = path.read_bytes().decode("utf-8", "replace")
            plain = _ESCAPE.sub(_character, html.unescape(raw))
            for form in (raw, plain, _TAG.sub("", plain), str(path.relative_to(root))):
                yield from map(int, _TOKEN.findall("".join(form.split()).lower()))
            yield from (int(number) for code, number in _codes().items() if code in raw)


def _codes() -> dict[str, int]:
    """Base64 form → number, of those that are planted in it."""
    return {encoded(number).rstrip("=")[:-1]: number for number in range(1, CANARIES, 4)}


def _character(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else found[2] or "\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("canaries")
    planter = Planter()
    plant = _plant(planter)

    def edit(source: SmallSource) -> None:
        plant(source)
        _plant_controls(source)

    write_small_source(folder / "source", edit)
    assert planter.planted >= CANARIES
    build_site(folder / "source", folder / "site", jobs=2, export=None, progress=lambda step: None)
    return folder / "site"


def test_no_canary_is_in_the_site_and_every_control_is(
    site: Path, record_property: Callable[[str, object], None]
) -> None:
    found = set(_found(site))
    controls = len(found & set(range(9000, 9000 + len(CONTROLS))))
    planted = len(set(range(CANARIES)) & set(_found(site.parent / "source")))
    record_property(
        FIGURES, f"{planted} canaries in the source, {len(found) - controls} in the site; {controls} controls"
    )
    assert {number for number in found if number < 9000} == set()
    assert found == set(range(9000, 9000 + len(CONTROLS)))


def test_the_source_holds_them_all(site: Path) -> None:
    """The search finds in the source what it does not find in the site."""
    found = set(_found(site.parent / "source"))
    assert set(range(CANARIES)) <= found


def test_a_whitelist_that_lets_a_canary_pass_is_refused(tmp_path: Path) -> None:
    def edit(source: SmallSource) -> None:
        source.projection["fields"].append({"field": "telemetry.note", "path": "extra.note", "type": "text"})
        source.publication["canaries"] = [token(1), token(2)]
        source.batch.runs[3]["extra"] = {"note": f"see {token(2)}", "other": token(1)}

    run = "ctx-small-0004"
    with leaky(tmp_path, edit) as stage:
        assert [(finding.code, finding.place.file, finding.found) for finding in stage.scan()] == [
            ("RC602", f"site/runs/ctx-small/{run}.json", "that of publication.yaml canaries[1]")
        ]


def test_a_build_with_a_leak_leaves_no_site(tmp_path: Path) -> None:
    def edit(source: SmallSource) -> None:
        source.publication["canaries"] = [token(7)]
        source.publication["summary"] = text(f"摘要 {token(7)}", "summary")

    write_small_source(tmp_path / "source", edit)
    with pytest.raises(Refused) as refused:
        build_site(tmp_path / "source", tmp_path / "site", jobs=1, export=None, progress=lambda step: None)
    assert {finding.code for finding in refused.value.findings} == {"RC602"}
    assert "site/index.html" in {finding.place.file for finding in refused.value.findings}
    assert token(7) not in str(refused.value)
    assert not (tmp_path / "site").exists()
