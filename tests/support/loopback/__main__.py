"""Run the loopback server as a process of its own; it prints its address and ends with its standard input."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.support.loopback.server import LoopbackServer


def main() -> None:
    """Serve until standard input closes, so that the server never outlives whoever started it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds per Messages call")
    parser.add_argument("--log", type=Path, default=None, help="append every request here as a JSON line")
    options = parser.parse_args()
    with LoopbackServer(latency=options.latency, port=options.port, log=options.log) as server:
        print(server.base_url, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
