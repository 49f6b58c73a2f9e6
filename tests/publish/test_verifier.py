"""One file of several modules."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from generator.publish.verifier import join_modules, verifier_file

FIRST = '''"""What others need.

More of it.
"""

import json
from math import comb, floor


def first() -> int:
    return comb(4, 2)
'''
SECOND = '''"""Uses it."""

from math import comb

from generator.verify.zeta import first

_TWO = 2


def second() -> int:
    return first() * _TWO + comb(3, 1)
'''
MAIN = '''"""Runs."""

from generator.verify.alpha import second

if __name__ == "__main__":
    print(second())
'''


def test_modules_stand_after_those_that_they_need() -> None:
    joined = join_modules({"__init__": "", "__main__": MAIN, "alpha": SECOND, "zeta": FIRST})
    assert [line for line in joined.splitlines() if "import" in line and not line.startswith(" ")] == [
        "import json",
        "from math import comb, floor",
    ]
    assert joined.index("def first") < joined.index("def second") < joined.index("print(second())")
    assert "# zeta\n#\n# What others need.\n#\n# More of it.\n" in joined
    done = subprocess.run([sys.executable, "-I", "-S", "-"], input=joined, capture_output=True, text=True, check=True)
    assert done.stdout == "15\n"


@pytest.mark.parametrize(
    ("sources", "said"),
    [
        ({"a": '"""A."""\n\n_X = 1\n', "b": '"""B."""\n\n_X = 2\n'}, "a and b both define _X"),
        (
            {"a": '"""A."""\n\nfrom math import comb\n', "b": '"""B."""\n\n\ndef comb() -> None: ...\n'},
            "a imports comb, which b defines",
        ),
        ({"a": '"""A."""\n\nimport json as j\n'}, "a: imports json under another name"),
        (
            {
                "a": '"""A."""\n\nfrom generator.verify.b import x\n',
                "b": '"""B."""\n\nfrom generator.verify.a import y\n',
            },
            r"in a circle: \['a', 'b'\]",
        ),
    ],
)
def test_what_would_hide_something_is_refused(sources: dict[str, str], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        join_modules(sources)


def test_the_verifier_needs_the_standard_library_alone(tmp_path: Path) -> None:
    data = verifier_file()
    assert data == verifier_file.__wrapped__(), "made again, the same"
    imported = [node for node in ast.walk(ast.parse(data)) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {
        (alias.name if isinstance(node, ast.Import) else node.module or "").split(".")[0]
        for node in imported
        for alias in node.names
    }
    assert names <= sys.stdlib_module_names
    (tmp_path / "verify.py").write_bytes(data)
    command = [sys.executable, "-I", "-S", str(tmp_path / "verify.py"), str(tmp_path / "nothing"), "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{tmp_path / 'nothing'}: expected the folder of a built site, found nothing\n"
