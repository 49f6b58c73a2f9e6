"""The content security policy: the same on all pages, and the only inline scripts that it lets run."""

from collections.abc import Iterable, Iterator

from generator.verify.pages import Page
from generator.verify.result import Finding

BARE_PAGE = "404.html"
"""A page without content: its inline scripts are the theme's."""


def content_policy(scripts: Iterable[str]) -> str:
    """The policy of a page whose inline scripts have these hashes."""
    sources = " ".join(["'self'", *(f"'{script}'" for script in sorted(scripts))])
    return (
        f"default-src 'none'; script-src {sources}; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
    )


def policy_findings(page: Page, allowed: frozenset[str], *, is_stamped: bool) -> Iterator[Finding]:
    """What is wrong with the policy of a page and its inline scripts: `allowed` are the hashes of those that it may
    have, and a stamped page has none."""
    policies = [policy for found in page.found for policy in found.policies]
    scripts = [script for found in page.found for script in found.scripts]
    for script in scripts:
        if is_stamped or script not in allowed:
            yield "an inline script", script, "none but those of the theme"
    wanted = content_policy(() if is_stamped else allowed)
    if policies != [wanted]:
        yield "content security policy", policies[0] if len(policies) == 1 else f"{len(policies)} policies", wanted
    for found in page.found:
        if found.scripts or any(piece.loads for piece in found.pieces or (found,)):
            yield "content security policy", "behind what it is to guard", "before all that runs or loads"
            return
        if found.policies:
            return
