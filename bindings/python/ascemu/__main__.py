"""`python -m ascemu`: the command line."""

import sys

from ascemu.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
