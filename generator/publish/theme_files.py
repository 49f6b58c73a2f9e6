"""Which files of a site are those of the theme, unchanged."""

import importlib.util
from functools import cache
from pathlib import Path


def is_of_the_theme(address: str, data: bytes) -> bool:
    """Whether a file below `assets/` has the bytes of the installed theme's: its authors' credits are no leak."""
    folder, assets, name = address.rpartition("assets/")
    root = _theme()
    if not assets or folder not in ("", "en/") or root is None:
        return False
    file = root / "assets" / name
    return file.is_file() and file.read_bytes() == data


@cache
def _theme() -> Path | None:
    found = importlib.util.find_spec("material")
    places = found.submodule_search_locations if found is not None else None
    return Path(next(iter(places))) / "templates" if places else None
