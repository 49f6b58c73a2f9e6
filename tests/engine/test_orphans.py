"""Workers end with the process that started them, and their end is told."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from generator.engine import LocalEngine

ROOT = Path(__file__).resolve().parents[2]
PARENT = """
import os
from generator.engine import LocalEngine
from tests.engine.test_orphans import nothing, own_id

if __name__ == "__main__":
    with LocalEngine(2, nothing, ()) as engine:
        print(*engine.map(own_id, range(8)), flush=True)
        input()
"""


def nothing() -> None:
    pass


def own_id(_: int) -> int:
    return os.getpid()


def end_this_process(_: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_no_worker_outlives_a_killed_parent(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT, encoding="utf-8")
    command = [sys.executable, str(script)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment) as parent:
        assert parent.stdout is not None
        workers = {int(word) for word in parent.stdout.readline().split()}
        handles = [os.pidfd_open(worker) for worker in workers]
        parent.kill()
    assert workers
    for handle in handles:
        ended, _, _ = select.select([handle], [], [], 30)
        os.close(handle)
        assert ended


def test_a_killed_worker_is_told() -> None:
    with LocalEngine(2, nothing, ()) as engine, pytest.raises(ChildProcessError, match="a worker process was killed"):
        list(engine.map(end_this_process, range(4)))
