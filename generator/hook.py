"""`mkdocs serve` for whoever writes a page by hand: feeds the generated pages of one language to MkDocs.

It adds nothing of its own, so nothing is lost where hooks are not run. `RUNCITE_SOURCE` names another source than
`data`, `RUNCITE_LANG` the language (zh).
"""

import os
from pathlib import Path
from typing import Any


def on_files(files: Any, config: Any) -> Any:
    """Put the generated pages in the place of the hand-written ones, which are templates of some of them."""
    from mkdocs.exceptions import PluginError
    from mkdocs.structure.files import File

    from generator.errors import Refused, RunciteError
    from generator.finding_formats import FindingFormat, format_findings
    from generator.pipeline import pages_for_hook
    from generator.read.lines import with_lines
    from generator.resources import resource

    source = Path(os.environ.get("RUNCITE_SOURCE") or resource("data"))
    try:
        pages = pages_for_hook(source, "en" if os.environ.get("RUNCITE_LANG") == "en" else "zh")
    except Refused as refused:
        findings = with_lines(source, refused.findings)
        raise PluginError(format_findings(findings, FindingFormat.text, source)) from refused
    except RunciteError as error:
        raise PluginError(str(error)) from error
    for path, content in pages.items():
        written = files.get_file_from_path(path)
        if written is not None:
            files.remove(written)
        files.append(File.generated(config, path, content=content))
    return files
