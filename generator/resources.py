"""Where templates, hand-written pages and starting definitions are: inside the installed package, else beside it."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def resource(name: str) -> Path:
    """Path of `templates`, `site_src`, `data` or `mkdocs.yml`."""
    bundled = _PACKAGE / "bundle" / name
    return bundled if bundled.exists() else _PACKAGE.parent / name
