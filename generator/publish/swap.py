"""Exchanges two folders in one step where the system can, else in two with recovery."""

import ctypes
import errno
import os
import sys
from pathlib import Path

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_NOT_SUPPORTED = (errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP)


def exchange(new: Path, site: Path, old: Path) -> None:
    """Put `new` where `site` is and leave what was there at `old`; all three are in one folder.

    Without an atomic exchange there is a moment in which `site` does not exist; `recover` mends a stop in that moment.
    """
    if not site.exists():
        new.rename(site)
    elif _exchange_in_one_step(new, site):
        new.rename(old)
    else:
        site.rename(old)
        new.rename(site)


def recover(site: Path, old: Path) -> None:
    """Bring back the old site if an exchange in two steps stopped between them."""
    if old.exists() and not site.exists():
        old.rename(site)


def _exchange_in_one_step(first: Path, second: Path) -> bool:
    if not sys.platform.startswith("linux"):
        return False
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if rename is None:
        return False
    result = rename(_AT_FDCWD, os.fsencode(first), _AT_FDCWD, os.fsencode(second), _RENAME_EXCHANGE)
    if result == 0:
        return True
    code = ctypes.get_errno()
    if code in _NOT_SUPPORTED:
        return False
    raise OSError(code, os.strerror(code), str(second))
