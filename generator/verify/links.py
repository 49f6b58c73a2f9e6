"""Where links lead."""

import posixpath
from functools import lru_cache
from urllib.parse import unquote

from generator.verify.active import is_foreign

ABSOLUTE = "404.html"
"""The only page that may use absolute addresses, because a host shows it at any depth."""


class Links:
    """The addresses of the site. `base` is the path at which it is published."""

    def __init__(self, files: set[str], base: str) -> None:
        self._files = files
        self._base = base

    def target(self, folder: str, link: str, *, absolute: bool = False) -> tuple[str | None, str]:
        """The file to which a link of a page in `folder` leads, and the fragment; an empty path where it stays on the
        page, None where no file is there. With `absolute` a path may begin with the base of the site."""
        path, _, fragment = link.partition("#")
        if absolute and path.startswith(self._base):
            folder, path = "", path.removeprefix(self._base) or "./"
        if not path:
            return "", unquote(fragment)
        target = _target(folder, path)
        return (target if target in self._files else None), unquote(fragment)

    def load_problem(self, folder: str, load: str, *, absolute: bool = False) -> str | None:
        """What is wrong with an address that a browser fetches by itself."""
        if load.startswith("data:image/"):
            return None
        if is_foreign(load):
            return "a request to another host"
        return None if self.target(folder, load, absolute=absolute)[0] is not None else "a request"


@lru_cache(maxsize=65536)
def _target(folder: str, path: str) -> str | None:
    """The address to which a path leads from a folder; None outside the site."""
    path = unquote(path.partition("?")[0])
    joined = posixpath.normpath(posixpath.join(folder, path))
    if joined == ".." or joined.startswith(("../", "/")):
        return None
    if path.endswith("/") or joined == ".":
        joined = posixpath.join(joined, "index.html")
    return posixpath.normpath(joined)
