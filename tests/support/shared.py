"""Real result files, which are not part of the repository.

They are looked for in the folder that `RUNCITE_SHARED` names, else in `shared` beside the repository.
"""

import json
import os
from pathlib import Path
from typing import Any

SHARED = Path(os.environ.get("RUNCITE_SHARED") or Path(__file__).resolve().parents[3] / "shared")
REAL = SHARED / "real"


def real_is_there() -> bool:
    return (REAL / "expected.json").is_file()


def expected_figures() -> dict[str, Any]:
    """Figures that a separate program computed from the raw files, by relative path; empty without the files."""
    if not real_is_there():
        return {}
    figures: dict[str, Any] = json.loads((REAL / "expected.json").read_text(encoding="utf-8"))
    return figures
