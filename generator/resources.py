"""Where the templates, hand-written pages and starting definitions are: in the package once installed, else beside it."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def resource(name: str) -> Path:
    """Path of `templates`, `site_src`, `data` or `mkdocs.yml`."""
    bundled = _PACKAGE / "bundle" / name
    return bundled if bundled.exists() else _PACKAGE.parent / name
