"""A lock of one site among all builds of this machine: a file that is there only while a build is at work."""

import contextlib
import fcntl
import os
from pathlib import Path


class Lock:
    """Held from `take` to `release`. Ends with its process, however that ends."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = None

    def take(self) -> bool:
        """Whether the lock was free.

        Raises
        ------
        OSError
            The file cannot be made or locked.
        """
        while True:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(descriptor)
                return False
            except OSError:
                os.close(descriptor)
                raise
            # Its holder may have removed the file since it was opened: a lock on that would keep nobody out.
            if _is(self.path, descriptor):
                self._descriptor = descriptor
                return True
            os.close(descriptor)

    def release(self) -> None:
        """Remove the file while it is still locked, so that nobody removes the file of another build."""
        if self._descriptor is not None:
            with contextlib.suppress(OSError):
                self.path.unlink()
            os.close(self._descriptor)
            self._descriptor = None


def _is(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
