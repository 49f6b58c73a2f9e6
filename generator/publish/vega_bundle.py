"""`assets/vega/live.js`: Vega, Vega-Lite and Vega-Embed in one script, out of the installed vl-convert.

It stands in the repository, because making it takes seconds that no build should pay; a test holds it against the
installed version. Nothing but `runcite.live` is left behind in the page, and expressions are interpreted: the policy of
the pages lets no script make code.
"""

from collections.abc import Iterator
from pathlib import Path

from generator.resources import resource

FOLDER = "assets/vega/"
ADDRESS = f"{FOLDER}live.js"
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
_HEAD = (
    "/* Vega {vega}, Vega-Lite {lite}, Vega-Embed {embed}: BSD-3-Clause, LICENSE.txt. "
    "Bundled by vl-convert {convert}. */\n"
)


def packaged() -> Path:
    """Where the script stands in the sources."""
    return resource("site_src") / ADDRESS


def head() -> str:
    """The first line: the versions that the installed package would bundle."""
    from importlib.metadata import version

    import vl_convert

    newest = vl_convert.get_vegalite_versions()[-1]
    versions = {"vega": vl_convert.get_vega_version(), "embed": vl_convert.get_vega_embed_version()}
    return _HEAD.format(**versions, lite=newest, convert=version("vl-convert-python"))


def bundle() -> str:
    """The whole script; takes some seconds."""
    import vl_convert

    script: str = vl_convert.javascript_bundle(_SNIPPET)
    return head() + script


def write() -> None:
    """Renew the script in the sources."""
    packaged().parent.mkdir(exist_ok=True)
    packaged().write_text(bundle(), encoding="utf-8")


def vega_files() -> Iterator[tuple[str, bytes]]:
    """Address and bytes of the script and its licences: once for all languages."""
    for path in sorted(packaged().parent.iterdir()):
        yield f"{FOLDER}{path.name}", path.read_bytes()


def is_packaged(address: str, data: bytes) -> bool:
    """Whether a file of a site is the script, unchanged: it holds no secret."""
    return address == ADDRESS and data == packaged().read_bytes()
