"""The content security policy of every page, and the only inline scripts that it allows: the theme's own."""

import base64
import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from generator.errors import SiteError
from generator.publish.stage import write_file

_INLINE = re.compile(r"<script(?P<attributes>[^>]*)>(?P<script>.*?)</script>", re.DOTALL | re.IGNORECASE)
_HEAD = re.compile(r"<meta charset=\"?utf-8\"?>", re.IGNORECASE)


def content_policy(script_hashes: Iterable[str] = ()) -> str:
    """The policy of a page whose inline scripts have these hashes (`sha256-<base64>`)."""
    scripts = " ".join(["'self'", *(f"'{digest}'" for digest in sorted(script_hashes))])
    return (
        f"default-src 'none'; script-src {scripts}; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
    )


def policy_tag(script_hashes: Iterable[str] = ()) -> str:
    return f'<meta http-equiv="Content-Security-Policy" content="{content_policy(script_hashes)}">'


def apply_policy(root: Path, reference: str, addresses: Iterable[str]) -> None:
    """Give each page the policy that allows the inline scripts of the `reference` page, which has no content.

    Raises
    ------
    SiteError
        a page has another inline script, or no place for the policy; all such pages are named.
    """
    allowed = inline_script_hashes((root / reference).read_text(encoding="utf-8"))
    tag = policy_tag(allowed)
    strange, without = [], []
    for address in addresses:
        html = (root / address).read_text(encoding="utf-8")
        if inline_script_hashes(html) - allowed:
            strange.append(address)
        guarded, places = _HEAD.subn(lambda head: head[0] + tag, html, count=1)
        if not places:
            without.append(address)
        write_file(root, address, guarded.encode())
    if strange:
        raise SiteError(f"inline scripts that are not the theme's: {', '.join(sorted(strange))}")
    if without:
        raise SiteError(f"pages without a place for the content security policy: {', '.join(sorted(without))}")


def inline_script_hashes(html: str) -> set[str]:
    """Hashes of the inline scripts of a page that a browser would run (data blocks are none)."""
    return {
        "sha256-" + base64.b64encode(hashlib.sha256(match["script"].encode()).digest()).decode()
        for match in _INLINE.finditer(html)
        if not re.search(r"\bsrc=|\btype=\"?application/(ld\+)?json", match["attributes"], re.IGNORECASE)
    }
