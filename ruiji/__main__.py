"""``ruiji``, the console command."""

from __future__ import annotations

import sys

from ruiji.cli import main


def run() -> None:
    """Runs the command line of this process and ends it with the exit status."""
    sys.exit(main(sys.argv[1:]))


if __name__ == "__main__":
    run()
