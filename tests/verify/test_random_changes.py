"""Single changes of meaning at random places, with everything renewed that a forger can renew; and raw bytes.

A fixed sample; with `RUNCITE_SOAK=1` several hundred. What cannot be found, because nothing else that is published says
the same, is named in `UNPROVEN` and in `docs/verify.md`.
"""

import os
import re
from html import unescape
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from generator.verify import verify_site
from tests.support.small_source import BATCH_ID
from tests.verify.forging import (
    BATCH,
    NUMBERS,
    Forged,
    Json,
    KeyPath,
    another,
    another_text,
    escaped,
    leaves_of,
    lists_of,
    texts_of,
    value_at,
    with_value,
)

SOAK = os.environ.get("RUNCITE_SOAK") == "1"

UNPROVEN = {
    "evidence": (r"trace\.\d+\.(call_id|started_at|authority)",),
    BATCH: (r"(case_bank|catalog|fixtures|judges|provenance|notes|model|independent_variable)\b.*",),
    "api/v1/index.json": (r"generator_version|source_hash",),
    "api/v1/projection.json": (r"fields(\.\d+\.(path|reason))?",),
    NUMBERS: (),
    "api/v1/metrics.json": (),
}
"""By file, the fields that are said once; `evidence` stands for every evidence file."""

_EVERY = settings(
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
    print_blob=False,
)


def _settings(often: int) -> settings:
    return settings(_EVERY, max_examples=often if SOAK else max(2, often // 24))


def _unnoticed(forged: Forged) -> bool:
    forged.renew()
    return verify_site(forged.root).agrees


def _said(path: KeyPath) -> str:
    return ".".join(map(str, path))


def _is_proven(kind: str, path: KeyPath) -> bool:
    return not any(re.fullmatch(pattern, _said(path)) for pattern in UNPROVEN[kind])


def _change_json(value: Json, kind: str, data: st.DataObject) -> str:
    """Change one thing in a JSON value, in place; what was changed."""
    turn = data.draw(st.integers(0, 1000), label="turn")
    lists = [path for path in lists_of(value) if _is_proven(kind, path)]
    if lists and data.draw(st.sampled_from(["leaf", "leaf", "leaf", "list"]), label="what") == "list":
        path = data.draw(st.sampled_from(lists), label="list")
        entries = value_at(value, path)
        if turn % 2:
            entries[0], entries[-1] = entries[-1], entries[0]
            return f"first and last of {_said(path)} exchanged"
        del entries[turn % len(entries)]
        return f"an entry of {_said(path)} gone"
    path = data.draw(st.sampled_from([path for path in leaves_of(value) if _is_proven(kind, path)]), label="leaf")
    old = value_at(value, path)
    with_value(value, path, another(old, turn))
    return f"{_said(path)}: {old!r} became {value_at(value, path)!r}"


def _check(site: Path, address: str, kind: str, data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        forged = Forged(site, Path(folder) / "site")
        value = forged.json(address)
        what = _change_json(value, kind, data)
        forged.write_json(address, value)
        event(kind)
        assert not _unnoticed(forged), f"{address}: {what}"


@given(data=st.data())
@_settings(120)
def test_evidence(small_site: Path, data: st.DataObject) -> None:
    files = sorted(path.relative_to(small_site).as_posix() for path in small_site.glob(f"runs/{BATCH_ID}/*.json"))
    _check(small_site, data.draw(st.sampled_from(files), label="file"), "evidence", data)


@pytest.mark.parametrize(
    "address", [BATCH, NUMBERS, *(f"api/v1/{name}.json" for name in ("index", "metrics", "projection"))]
)
@given(data=st.data())
@_settings(36)
def test_api(small_site: Path, address: str, data: st.DataObject) -> None:
    _check(small_site, address, address, data)


@given(data=st.data())
@_settings(36)
def test_run_sets(small_site: Path, data: st.DataObject) -> None:
    files = sorted(
        path.relative_to(small_site).as_posix() for path in small_site.glob(f"api/v1/runsets/{BATCH_ID}/*.json")
    )
    address = data.draw(st.sampled_from(files), label="file")
    with TemporaryDirectory() as folder:
        forged = Forged(small_site, Path(folder) / "site")
        sets = forged.json(address)
        name = data.draw(st.sampled_from(sorted(sets)), label="set")
        turn = data.draw(st.integers(0, 100), label="turn")
        runs: list[str] = sets[name]
        run = runs[turn % len(runs)]
        others = sorted({path.stem for path in small_site.glob(f"runs/{BATCH_ID}/*.json")} - set(runs))
        change = data.draw(st.sampled_from(["drop", "add", "exchange"]), label="change")
        if change != "add":
            runs.remove(run)
        if change != "drop" and others:
            sets[name] = sorted([*runs, others[turn % len(others)]])
        forged.write_json(address, sets)
        assert not _unnoticed(forged), f"{address}: {change} in {name}"


@given(data=st.data())
@_settings(96)
def test_texts_of_pages_of_numbers_and_runs(small_site: Path, data: st.DataObject) -> None:
    folder = data.draw(st.sampled_from(["numbers", "runs"]), label="folder")
    pages = sorted(
        path.relative_to(small_site).as_posix() for path in small_site.glob(f"{folder}/{BATCH_ID}/**/*.html")
    )
    _change_text(small_site, data.draw(st.sampled_from(pages), label="page"), data)


def _change_text(site: Path, address: str, data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        forged = Forged(site, Path(folder) / "site")
        html = forged.text(address)
        start, end = data.draw(st.sampled_from(texts_of(html)), label="text")
        old = unescape(html[start:end])
        new = another_text(old, data.draw(st.integers(0, 1000), label="turn"))
        forged.write(address, (html[:start] + escaped(new) + html[end:]).encode())
        assert not _unnoticed(forged), f"{address}: {old!r} became {new!r}"


@given(data=st.data())
@_settings(48)
def test_numbers_on_pages_for_readers(small_site: Path, data: st.DataObject) -> None:
    pages = sorted(
        path.relative_to(small_site).as_posix()
        for path in small_site.glob("**/*.html")
        if not path.relative_to(small_site).as_posix().startswith(("numbers/", f"runs/{BATCH_ID}/"))
        and 'class="num"' in path.read_text(encoding="utf-8")
    )
    address = data.draw(st.sampled_from(pages), label="page")
    with TemporaryDirectory() as folder:
        forged = Forged(small_site, Path(folder) / "site")
        html = forged.text(address)
        numbers = list(re.finditer(r'<a class="num"[^>]*>(.*?)</a>', html))
        shown = data.draw(st.sampled_from(numbers), label="number")
        digits = [match.start() for match in re.finditer(r"\d", shown[1])]
        outside = [place for place in digits if shown[1].rfind("<", 0, place) <= shown[1].rfind(">", 0, place)]
        if not outside:
            return
        place = shown.start(1) + data.draw(st.sampled_from(outside), label="digit")
        new = str((int(html[place]) + data.draw(st.integers(1, 9), label="more")) % 10)
        forged.write(address, (html[:place] + new + html[place + 1 :]).encode())
        assert not _unnoticed(forged), f"{address}: {shown[0]}"


@given(data=st.data())
@_settings(60)
def test_raw_bytes(small_site: Path, data: st.DataObject) -> None:
    files = sorted(path.relative_to(small_site).as_posix() for path in small_site.rglob("*") if path.is_file())
    address = data.draw(st.sampled_from(files), label="file")
    with TemporaryDirectory() as folder:
        forged = Forged(small_site, Path(folder) / "site")
        raw = bytearray((forged.root / address).read_bytes())
        place = data.draw(st.integers(0, len(raw) - 1), label="place")
        raw[place] ^= data.draw(st.integers(1, 255), label="bits")
        forged.write(address, bytes(raw))
        places = {disagreement.place for disagreement in verify_site(forged.root).disagreements}
        assert address in places or "manifest.json" in places
