"""Templates, compiled once a process."""

from types import CodeType

import jinja2
from jinja2.bccache import Bucket

_compiled: dict[tuple[str, str, str], CodeType] = {}


class CompiledTemplates(jinja2.BytecodeCache):
    """What the environments of a process have compiled: `serve` builds a site again and again, and a third of the build
    of a small site is compilation.

    `rests_on` tells environments apart whose code of the same template differs: Jinja computes constant expressions
    when it compiles, with the filters of the environment.
    """

    def __init__(self, rests_on: str) -> None:
        self._rests_on = rests_on

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = _compiled.get((self._rests_on, bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        assert bucket.code is not None
        _compiled[self._rests_on, bucket.key, bucket.checksum] = bucket.code
