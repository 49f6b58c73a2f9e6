"""The folder beside the site in which the new site is made, until it is whole.

The stage is a sibling of the site, so that the exchange is a rename. Whatever stops a build leaves the site as it was;
the next build removes what was left behind.
"""

import shutil
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

from generator.errors import SiteError
from generator.publish.lock import Lock
from generator.publish.swap import exchange, recover


def write_file(root: Path, address: str, data: bytes) -> None:
    """Write one file of a site below `root`, making folders as needed. May be called in any process."""
    target = root / address
    try:
        target.write_bytes(data)
    except FileNotFoundError:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


class Stage:
    """Holds the lock of a site while a build is at work.

    `root` becomes the site at `commit`; `scratch` is a folder for what does not belong to the site.

    Raises
    ------
    SiteError
        the target cannot be written, is something else than a site, or another build is at work.
    """

    def __init__(self, site: Path) -> None:
        # A link to a site stays a link: what it leads to is exchanged.
        self.site = site.resolve()
        self._prefix = f".{self.site.name}."
        self._old = self.site.with_name(f"{self._prefix}old")
        self._lock = Lock(self.site.with_name(f"{self._prefix}lock"))
        self._exchanged = False

    def __enter__(self) -> Self:
        self._refuse_other_folders()
        try:
            self.site.parent.mkdir(parents=True, exist_ok=True)
            is_free = self._lock.take()
        except OSError as error:
            raise self._unwritable(error) from error
        if not is_free:
            raise SiteError(f"{self.site}: another build is writing this site; wait for it to end")
        try:
            recover(self.site, self._old)
            self._remove_leftovers()
            work = Path(tempfile.mkdtemp(prefix=f"{self._prefix}new-", dir=self.site.parent))
            self.root = work / "site"
            self.scratch = work / "scratch"
            self.root.mkdir()
            self.scratch.mkdir()
        except OSError as error:
            self._remove_leftovers()
            self._lock.release()
            raise self._unwritable(error) from error
        return self

    def commit(self) -> None:
        """Exchange the stage with the site."""
        new = self.site.with_name(f"{self._prefix}new")
        self.root.rename(new)
        exchange(new, self.site, self._old)
        self._exchanged = True

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        recover(self.site, self._old)
        self._remove_leftovers()
        self._lock.release()
        if isinstance(error, OSError):
            outcome = "the new site is in place" if self._exchanged else "the previous site is untouched"
            raise SiteError(f"{self.site}: {error.strerror or error}; {outcome}") from error

    def _unwritable(self, error: OSError) -> SiteError:
        # What stands in the way of a folder is a file; the system says no more than that something exists.
        reason = "a file, not a folder" if isinstance(error, FileExistsError) else error.strerror or str(error)
        return SiteError(
            f"{self.site.parent}: cannot be written ({reason}); nothing was changed; choose another --site"
        )

    def _refuse_other_folders(self) -> None:
        if self.site.exists() and not self.site.is_dir():
            raise SiteError(f"{self.site}: expected a folder, found a file; choose another --site")
        if self.site.is_dir() and any(self.site.iterdir()) and not (self.site / "manifest.json").is_file():
            raise SiteError(
                f"{self.site}: expected a site (with manifest.json) or an empty folder, found other files; "
                "choose another --site or remove them yourself"
            )

    def _remove_leftovers(self) -> None:
        for leftover in self.site.parent.glob(f"{self._prefix}new*"):
            shutil.rmtree(leftover, ignore_errors=True)
        if self.site.exists():
            shutil.rmtree(self._old, ignore_errors=True)
