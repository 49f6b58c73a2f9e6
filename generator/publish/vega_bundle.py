"""`assets/vega/`: Vega, Vega-Lite and Vega-Embed in one script, out of the installed vl-convert, with the licences.

Nothing but `runcite.live` is left behind in the page, and expressions are interpreted: the policy of the pages lets no
script make code.
"""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from functools import cache
from importlib.metadata import distribution, version
from pathlib import Path

from generator.resources import resource

FOLDER = "assets/vega/"
ADDRESS = f"{FOLDER}live.js"
LICENCES = f"{FOLDER}LICENSE.txt"
_PACKAGE = "vl-convert-python"
_SNIPPET = """
window.runcite = window.runcite || {};
window.runcite.live = (element, specification, tell) =>
  vegaEmbed(element, specification, {
    mode: "vega-lite",
    ast: true,
    defaultStyle: false,
    actions: false,
    renderer: "svg",
    hover: true,
    tooltip: (_handler, _event, _item, value) => tell(value),
    config: { mark: { tooltip: { content: "data" } } },
  });
"""
_HEAD = "/* Vega {vega}, Vega-Lite {lite}, Vega-Embed {embed}: LICENSE.txt. Bundled by vl-convert {convert}. */\n"
_NOTICE = """live.js was bundled by vl-convert from these works of others:

Vega, Vega-Lite, Vega-Embed: (c) University of Washington Interactive Data Lab and contributors; BSD-3-Clause
D3 modules: (c) Mike Bostock and contributors; ISC

The licence of vl-convert, whose conditions are those of BSD-3-Clause:

"""


def head() -> str:
    """The first line: the versions that the installed package bundles."""
    import vl_convert

    newest = vl_convert.get_vegalite_versions()[-1]
    versions = {"vega": vl_convert.get_vega_version(), "embed": vl_convert.get_vega_embed_version()}
    return _HEAD.format(**versions, lite=newest, convert=version(_PACKAGE))


@cache
def script() -> bytes:
    """The whole script. Making it takes seconds: it is made once an installation and kept beside the other assets, or
    once a process where nothing can be kept."""
    kept = resource("site_src") / ADDRESS
    with contextlib.suppress(OSError):
        data = kept.read_bytes()
        if data.startswith(head().encode()):
            return data
    data = _bundled()
    with contextlib.suppress(OSError):
        _keep(kept, data)
    return data


def _bundled() -> bytes:
    import vl_convert

    made: str = vl_convert.javascript_bundle(_SNIPPET)
    return (head() + made).encode()


def _keep(path: Path, data: bytes) -> None:
    """In one step: several builds may begin at once."""
    path.parent.mkdir(exist_ok=True)
    handle, beside = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        Path(beside).chmod(0o644)
        Path(beside).replace(path)
    except OSError:
        Path(beside).unlink()
        raise


def licences() -> bytes:
    return (_NOTICE + (distribution(_PACKAGE).read_text("licenses/LICENSE") or "")).encode()


def vega_files() -> Iterator[tuple[str, bytes]]:
    """Address and bytes of the script and its licences: once for all languages."""
    yield ADDRESS, script()
    yield LICENCES, licences()


def is_packaged(address: str, data: bytes) -> bool:
    """Whether a file of a site is the script, unchanged: it holds no secret."""
    return address == ADDRESS and data == script()
