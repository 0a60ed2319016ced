"""`python -m slowwave` is `slowwave`."""

import sys

from slowwave.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
