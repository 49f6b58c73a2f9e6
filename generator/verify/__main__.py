"""`python -m generator.verify SITE [--format json] [--jobs N]`."""

import argparse
import os
import sys
from pathlib import Path

from generator.verify.check import verify_site


def main() -> int:
    """Print what was checked and what disagrees; 0 where everything agrees, 1 where not."""
    parser = argparse.ArgumentParser(prog="verify", description="Recompute a built site from its own evidence.")
    parser.add_argument("site", type=Path, help="folder of the site")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes; all processors if not given")
    options = parser.parse_args()
    result = verify_site(options.site, max(1, options.jobs))
    sys.stdout.write(result.as_json() if options.format == "json" else result.as_text())
    return 0 if result.agrees else 1


if __name__ == "__main__":
    sys.exit(main())
