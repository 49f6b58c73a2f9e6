"""Of several builds of one site one at a time holds the lock, whatever the others see of its file."""

import fcntl
import subprocess
import sys
from pathlib import Path

import pytest

from generator.publish.lock import Lock
from tests.support.whole_sites import environment


def test_the_file_is_there_while_the_lock_is_held(tmp_path: Path) -> None:
    first, second = Lock(tmp_path / "lock"), Lock(tmp_path / "lock")
    assert first.take()
    assert not second.take()
    assert (tmp_path / "lock").exists()
    second.release()
    assert not Lock(tmp_path / "lock").take()
    first.release()
    assert list(tmp_path.iterdir()) == []
    assert second.take()
    second.release()
    first.release()


def test_a_file_that_was_removed_after_it_was_opened_is_not_the_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The holder ends, and a third one begins, between the two steps of taking the lock."""
    holder, late, third = (Lock(tmp_path / "lock") for _ in range(3))
    assert holder.take()
    wait = fcntl.flock

    def meanwhile(descriptor: int, operation: int) -> None:
        monkeypatch.setattr(fcntl, "flock", wait)
        holder.release()
        assert third.take()
        wait(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", meanwhile)
    assert not late.take()
    third.release()
    assert late.take()


def test_what_a_killed_build_left_locks_nobody_out(tmp_path: Path) -> None:
    script = (
        "import os, sys, pathlib; from generator.publish.lock import Lock; "
        "print(Lock(pathlib.Path(sys.argv[1])).take(), flush=True); os.kill(os.getpid(), 9)"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "lock")]
    killed = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert (killed.returncode, killed.stdout) == (-9, "True\n")
    assert (tmp_path / "lock").exists()
    assert Lock(tmp_path / "lock").take()


def test_many_at_once_are_never_two(tmp_path: Path) -> None:
    """Each process takes and gives back the lock as often as it can, and marks the time in which it holds it."""
    script = """
import os, pathlib, sys
from generator.publish.lock import Lock
folder, taken = pathlib.Path(sys.argv[1]), 0
lock = Lock(folder / "lock")
while taken < 200:
    if lock.take():
        os.close(os.open(folder / "inside", os.O_CREAT | os.O_EXCL))
        os.unlink(folder / "inside")
        lock.release()
        taken += 1
"""
    command = [sys.executable, "-c", script, str(tmp_path)]
    processes = [subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE, text=True) for _ in range(4)]
    for process in processes:
        _, said = process.communicate()
        assert process.returncode == 0, said
    assert list(tmp_path.iterdir()) == []
