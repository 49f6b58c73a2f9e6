"""Changes of the bytes of a file: what editors, copies and other programs do to one."""

import gzip
import io
import json
import re
from collections.abc import Callable
from random import Random

import pyarrow
import zstandard
from pyarrow import parquet

TRAPS = (
    *("no", "on", "~", "1.10", "12:30", "1:20:30", "010", "0o10", "0x1F", "1_000", ".nan", "-.inf", "1e999", "<<", "="),
    *(
        "&a x",
        "*a",
        "!!str 1",
        "!!python/name:os.system",
        "!<x> y",
        "2026-11-30",
        "|",
        ">",
        "? a",
        "- a",
        "{",
        "[",
        "'",
    ),
    *("%YAML 1.1", "---", "...", "@x", "`x", "\t", "\u2028", "0x" + "f" * 5000, "9" * 5000, "-" * 3),
)
ENCODINGS = ("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "gbk", "big5", "cp1252")
BLOCK_BYTES, BLOCKS = 8 * 1024**2, 40


def damaged(random: Random, raw: bytes) -> tuple[bytes, str]:
    """The file with one damage, and its name."""
    act = random.choice(_ACTS)
    return act(random, raw), act.__name__.strip("_").replace("_", " ")


def _byte_changed(random: Random, raw: bytes) -> bytes:
    place = random.randrange(len(raw) + 1)
    return raw[:place] + random.randbytes(random.choice((0, 1, 1, 4))) + raw[place + 1 :]


def _cut(random: Random, raw: bytes) -> bytes:
    return raw[: random.randrange(len(raw) + 1)]


def _other_encoding(random: Random, raw: bytes) -> bytes:
    return raw.decode("utf-8", "replace").encode(random.choice(ENCODINGS), "replace")


def _line_ends(random: Random, raw: bytes) -> bytes:
    return raw.replace(b"\n", random.choice((b"\r\n", b"\r", b"\n\n", b"\n\t", b"\x0b\n")))


def _line_twice(random: Random, raw: bytes) -> bytes:
    lines = raw.splitlines(keepends=True)
    place = random.randrange(len(lines)) if lines else 0
    return b"".join([*lines[: place + 1], *lines[place:]])


def _line_lost(random: Random, raw: bytes) -> bytes:
    lines = raw.splitlines(keepends=True)
    del lines[random.randrange(len(lines)) : random.choice((None, len(lines) // 2 + 1))]
    return b"".join(lines)


def _lines_mixed(random: Random, raw: bytes) -> bytes:
    lines = raw.splitlines(keepends=True)
    random.shuffle(lines)
    return b"".join(lines)


def _trap(random: Random, raw: bytes) -> bytes:
    """A value becomes what YAML reads in its own way."""
    found = list(re.finditer(rb': ?("(?:[^"\\]|\\.)*"|[^,{\[\n"]+)', raw))
    if not found:
        return raw
    spot = random.choice(found)
    return raw[: spot.start(1)] + random.choice(TRAPS).encode() + raw[spot.end(1) :]


def _key_twice(random: Random, raw: bytes) -> bytes:
    found = list(re.finditer(rb'"[a-z_]+": ', raw))
    if not found:
        return raw
    spot = random.choice(found)
    return raw[: spot.start()] + spot.group() + random.choice((b"null", b"1", b'"x"')) + b", " + raw[spot.start() :]


def _brackets(random: Random, raw: bytes) -> bytes:
    place = random.randrange(len(raw) + 1)
    return raw[:place] + random.choice((b"[", b"{", b'{"a":', b"- ")) * random.choice((1, 100, 20_000)) + raw[place:]


def _filled(random: Random, raw: bytes) -> bytes:
    place = random.randrange(len(raw) + 1)
    return raw[:place] + random.choice((b" ", b"\n", b"\0", b"x", b"#")) * 200_000 + raw[place:]


def _empty(random: Random, raw: bytes) -> bytes:
    return random.choice((b"", b"\n", b"null", b"[]", b"{}", b"#", b"\0", b"\xff"))


_ACTS: tuple[Callable[[Random, bytes], bytes], ...] = (
    _byte_changed,
    _byte_changed,
    _cut,
    _other_encoding,
    _line_ends,
    _line_twice,
    _line_lost,
    _lines_mixed,
    _trap,
    _trap,
    _key_twice,
    _key_twice,
    _brackets,
    _filled,
    _empty,
)


def packed(random: Random, raw: bytes) -> tuple[str, bytes, str]:
    """A runs file in another packing: its name, its bytes, and what was done to it."""
    suffix, pack = random.choice(_PACKS)
    state = random.choice(("whole", "whole", "damaged", "joined", "bomb"))
    data = _bomb(random, suffix, pack) if state == "bomb" else pack(raw)
    if state == "joined":
        data += pack(raw)
    if state == "damaged":
        data = damaged(random, data)[0]
    return f"runs.{suffix}", data, f"{state} {suffix}"


def _bomb(random: Random, suffix: str, pack: Callable[[bytes], bytes]) -> bytes:
    """A small file of some 300 MB."""
    if suffix == "parquet":
        return _parquet_bomb(random.choice((20, 1_000_000, 20_000_000)))
    # Members and frames may follow one another, so that one packed block is enough.
    block = random.choice((b" ", b"\n", b"{}\n", b"\0"))
    return pack(block * (BLOCK_BYTES // len(block))) * BLOCKS


def _parquet_bomb(length: int) -> bytes:
    """One text in a dictionary, named again and again."""
    rows = BLOCKS * BLOCK_BYTES // length
    named = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * min(rows, 1_000_000)), ["x" * length])
    out = io.BytesIO()
    parquet.write_table(pyarrow.table({"run_id": named, "answer": named}), out)
    return out.getvalue()


def _as_parquet(raw: bytes) -> bytes:
    """Columns of JSON text; a file of one column where the lines are no runs of one shape."""
    lines = raw.splitlines()[:2000]
    try:
        rows = [json.loads(line) for line in lines]
        texts = [{key: v if isinstance(v, (str, int)) else json.dumps(v) for key, v in row.items()} for row in rows]
        table = pyarrow.Table.from_pylist(texts)
    except (ValueError, AttributeError, pyarrow.ArrowException, OverflowError):
        table = pyarrow.table({"run_id": lines})
    out = io.BytesIO()
    parquet.write_table(table, out)
    return out.getvalue()


_PACKS: tuple[tuple[str, Callable[[bytes], bytes]], ...] = (
    ("jsonl.gz", lambda raw: gzip.compress(raw, 9, mtime=0)),
    ("jsonl.zst", lambda raw: zstandard.ZstdCompressor(level=1).compress(raw)),
    ("parquet", _as_parquet),
)
