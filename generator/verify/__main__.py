"""`python -m generator.verify SITE [--format json] [--jobs N]`."""

import argparse
import os
import sys
from pathlib import Path

from generator.verify.check import NoSite, verify_site


def main() -> int:
    """Print what was checked and what disagrees; 0 where everything agrees, 1 where not, 2 where there is no site."""
    parser = argparse.ArgumentParser(prog="verify", description="Recompute a built site from its own evidence.")
    parser.add_argument("site", type=Path, help="folder of the site")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes; all processors if not given")
    options = parser.parse_args()
    try:
        result = verify_site(options.site, max(1, options.jobs))
    except NoSite as problem:
        sys.stderr.write(f"{problem}\n")
        return 2
    sys.stdout.write(result.as_json() if options.format == "json" else result.as_text())
    return 0 if result.agrees else 1


if __name__ == "__main__":
    sys.exit(main())
